import type { StructuralSchema } from '../../schema.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
};

/**
 * The `fieldPath` of a rule (`.spec.x`, `['a.b'].c`) as errors write paths: `spec.x`, `a.b.c`; map keys in brackets.
 * `undefined` for a path that leads nowhere in the schema. List items cannot be named.
 */
export function resolveFieldPath(path: string, schema: StructuralSchema): string | undefined {
  let resolved = '';
  let node: StructuralSchema = schema;
  let rest = path;
  while (rest !== '') {
    const step = /^\.([^.[\]]+)|^\['((?:[^'\\]|\\.)*)'\]/s.exec(rest);
    const name = step && (step[1] ?? unescapeQuoted(step[2]!));
    if (!step || name === undefined || name === null) return undefined;
    if (node.properties) {
      if (!Object.hasOwn(node.properties, name)) return undefined;
      resolved += resolved === '' ? name : `.${name}`;
      node = node.properties[name]!;
    } else if (typeof node.additionalProperties === 'object') {
      resolved += `[${name}]`;
      node = node.additionalProperties;
    } else {
      return undefined;
    }
    rest = rest.slice(step[0].length);
  }
  return resolved;
}

function unescapeQuoted(text: string): string | undefined {
  let valid = true;
  const plain = text.replace(/\\(.)/gs, (_, character: string) => {
    if (!Object.hasOwn(ESCAPES, character)) valid = false;
    return ESCAPES[character] ?? '';
  });
  return valid ? plain : undefined;
}
