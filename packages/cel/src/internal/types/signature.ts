import type { Type } from './type.ts';
import * as types from './type.ts';

const NAMED: Readonly<Record<string, Type>> = {
  bool: types.BOOL,
  int: types.INT,
  uint: types.UINT,
  double: types.DOUBLE,
  string: types.STRING,
  bytes: types.BYTES,
  null: types.NULL,
  timestamp: types.TIMESTAMP,
  duration: types.DURATION,
  dyn: types.DYN,
};

/**
 * Reads a type as errors print it: `list(string)`, `map(K, V)`, `optional_type(V)`, `kubernetes.URL`. A single capital
 * letter is a type variable; any other unknown name an opaque type.
 */
export function parseType(text: string): Type {
  const open = text.indexOf('(');
  if (open < 0) {
    if (Object.hasOwn(NAMED, text)) return NAMED[text]!;
    return /^[A-Z]$/.test(text) ? types.variable(text) : types.opaque(text);
  }
  const name = text.slice(0, open);
  const parameters = splitTopLevel(text.slice(open + 1, -1)).map(parseType);
  switch (name) {
    case 'list':
      return types.listOf(parameters[0]!);
    case 'map':
      return types.mapOf(parameters[0]!, parameters[1]!);
    case 'type':
      return types.typeOf(parameters[0]!);
    default:
      return types.opaque(name, ...parameters);
  }
}

/** `a, list(b, c)` → `['a', 'list(b, c)']`. */
export function splitTopLevel(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index <= text.length; index++) {
    const character = text[index];
    if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (character === undefined || (character === ',' && depth === 0)) {
      const part = text.slice(start, index).trim();
      if (part !== '') parts.push(part);
      start = index + 1;
    }
  }
  return parts;
}
