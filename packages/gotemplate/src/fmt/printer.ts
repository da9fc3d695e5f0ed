/** fmt's treatment of one operand: which verb fits which kind, and how compound values are laid out. */

import { visit } from '../limits.ts';
import { fromBytes } from '../text/bytes.ts';
import { GoFunc } from '../value/function.ts';
import { type GoType, isUnsigned } from '../value/types.ts';
import { Complex, GoMap, GoNil, GoObject, GoSlice, holdsInterfaces, Int, typeOf, type Value } from '../value/values.ts';
import {
  formatCharacter,
  formatFloatVerb,
  formatHex,
  formatInteger,
  formatQuoted,
  formatQuotedCharacter,
  formatString,
  formatUnicode,
  textBytes,
} from './basic.ts';
import { type Flags, pad } from './flags.ts';

/** Where Go prints the address of something, which here has none. */
const someAddress = 0xc000010000n;

/** Formats one operand. */
export function formatOperand(flags: Flags, operand: Value, verb: string): string {
  if (operand === undefined || operand === null) {
    return verb === 'T' || verb === 'v' ? pad(flags, '<nil>') : `%!${verb}(<nil>)`;
  }
  if (verb === 'T') return formatString(flags, typeOf(operand)!.name);
  return formatValue(flags, operand, verb, 0, false);
}

/** `erroring` is set inside the description of a bad verb, where methods are not asked. */
function formatValue(flags: Flags, value: Value, verb: string, depth: number, erroring: boolean): string {
  visit(typeof value === 'string' ? value.length : 0);
  switch (typeof value) {
    case 'string':
      return formatText(flags, value, verb);
    case 'boolean':
      return verb === 't' || verb === 'v' ? pad(flags, String(value)) : badVerb(flags, value, verb);
    case 'number':
      return formatNumber(flags, value, verb);
    case 'undefined':
      return verb === 'v' ? '<nil>' : `%!${verb}(<nil>)`;
  }
  if (value === null) return '<nil>';
  const type = typeOf(value)!;
  if (!erroring && type.text && !flags.sharpV && 'vsxXq'.includes(verb) && !(value instanceof GoNil)) {
    return formatText(flags, type.text(value as never), verb);
  }
  if (!erroring && type.goText && flags.sharpV) return formatString(flags, type.goText(value as never));
  if (value instanceof Int) return formatInt(flags, value, verb);
  if (value instanceof GoMap) return formatMap(flags, value, verb, depth, erroring);
  if (value instanceof GoSlice) return formatSlice(flags, value, verb, depth, erroring);
  if (value instanceof Uint8Array) return formatBytes(flags, value, verb);
  if (value instanceof Complex) return formatComplex(flags, value, verb);
  if (value instanceof GoObject) return formatObject(flags, value, verb, depth, erroring);
  if (value instanceof GoFunc) return formatPointer(flags, type, someAddress, verb, value);
  return formatPointer(flags, type, 0n, verb, value);
}

function badVerb(flags: Flags, value: Value, verb: string): string {
  return `%!${verb}(${typeOf(value)?.name}=${formatValue(flags, value, 'v', 0, true)})`;
}

function formatText(flags: Flags, text: string, verb: string): string {
  switch (verb) {
    case 'v':
      return flags.sharpV ? formatQuoted(flags, text) : formatString(flags, text);
    case 's':
      return formatString(flags, text);
    case 'q':
      return formatQuoted(flags, text);
    case 'x':
    case 'X':
      return formatHex(flags, textBytes(text), verb === 'X');
    default:
      return badVerb(flags, text, verb);
  }
}

function formatNumber(flags: Flags, value: number, verb: string): string {
  if (verb === 'v') return formatFloatVerb(flags, value, 'g', -1);
  if ('bgGxX'.includes(verb)) return formatFloatVerb(flags, value, verb, -1);
  return 'feEF'.includes(verb) ? formatFloatVerb(flags, value, verb, 6) : badVerb(flags, value, verb);
}

function formatInt(flags: Flags, int: Int, verb: string): string {
  const { value, type } = int;
  const unsigned = isUnsigned(type.kind);
  switch (verb) {
    case 'v':
      if (flags.sharpV && unsigned) return formatInteger({ ...flags, sharp: true }, value, 16);
      return formatInteger(flags, value, 10);
    case 'd':
      return formatInteger(flags, value, 10);
    case 'b':
      return formatInteger(flags, value, 2);
    case 'o':
      return formatInteger(flags, value, 8);
    case 'O':
      return formatInteger(flags, value, 8, false, true);
    case 'x':
      return formatInteger(flags, value, 16);
    case 'X':
      return formatInteger(flags, value, 16, true);
    case 'c':
      return formatCharacter(flags, value);
    case 'q':
      return formatQuotedCharacter(flags, value);
    case 'U':
      return formatUnicode(flags, BigInt.asUintN(64, value));
    default:
      return badVerb(flags, int, verb);
  }
}

function formatComplex(flags: Flags, value: Complex, verb: string): string {
  if (!'vbgGxXfFeE'.includes(verb)) return badVerb(flags, value, verb);
  const real = formatNumber(flags, value.real, verb);
  const imaginary = formatNumber({ ...flags, plus: true }, value.imaginary, verb);
  return `(${real}${imaginary}i)`;
}

function formatBytes(flags: Flags, bytes: Uint8Array, verb: string): string {
  switch (verb) {
    case 'v':
    case 'd': {
      if (!flags.sharpV) {
        return `[${Array.from(bytes, byte => formatInteger(flags, BigInt(byte), 10)).join(' ')}]`;
      }
      return `[]byte{${Array.from(bytes, byte => `0x${byte.toString(16)}`).join(', ')}}`;
    }
    case 's':
      return formatString(flags, fromBytes(bytes));
    case 'q':
      return formatQuoted(flags, fromBytes(bytes));
    case 'x':
    case 'X':
      return formatHex(flags, bytes, verb === 'X');
    default: {
      const bad = Array.from(bytes, byte => `%!${verb}(uint8=${formatInteger(flags, BigInt(byte), 10)})`);
      return `[${bad.join(' ')}]`;
    }
  }
}

/** An element whose static type may be an interface, which `%#v` tells when it is nil. */
function formatElement(
  flags: Flags,
  value: Value,
  verb: string,
  depth: number,
  erroring: boolean,
  isInterface: boolean,
): string {
  if (value === null && isInterface) return flags.sharpV ? 'interface {}(nil)' : '<nil>';
  return formatValue(flags, value, verb, depth + 1, erroring);
}

function formatMap(flags: Flags, map: GoMap, verb: string, depth: number, erroring: boolean): string {
  if (verb === 'p') return formatPointer(flags, map.type, map.isNil ? 0n : someAddress, verb, map);
  if (flags.sharpV && map.isNil) return `${map.type.name}(nil)`;
  const isInterface = holdsInterfaces(map);
  const entries = map.keys().map(key => {
    const element = formatElement(flags, map.get(key), verb, depth, erroring, isInterface);
    return `${formatText(flags, key, verb)}:${element}`;
  });
  return flags.sharpV ? `${map.type.name}{${entries.join(', ')}}` : `map[${entries.join(' ')}]`;
}

function formatSlice(flags: Flags, slice: GoSlice, verb: string, depth: number, erroring: boolean): string {
  if (verb === 'p') return formatPointer(flags, slice.type, slice.isNil ? 0n : someAddress, verb, slice);
  if (flags.sharpV && slice.isNil) return `${slice.type.name}(nil)`;
  const isInterface = holdsInterfaces(slice);
  const items = slice.items.map(item => formatElement(flags, item, verb, depth, erroring, isInterface));
  return flags.sharpV ? `${slice.type.name}{${items.join(', ')}}` : `[${items.join(' ')}]`;
}

function formatObject(flags: Flags, object: GoObject, verb: string, depth: number, erroring: boolean): string {
  const isPointer = object.type.kind === 'ptr';
  if (verb === 'p' || (isPointer && depth > 0)) return formatPointer(flags, object.type, someAddress, verb, object);
  const fields = object.fields.map(field => {
    const text = formatElement(flags, field.value, verb, depth, erroring, true);
    return flags.plusV || flags.sharpV ? `${field.name}:${text}` : text;
  });
  const name = isPointer ? object.type.elem!.name : object.type.name;
  const body = flags.sharpV ? `${name}{${fields.join(', ')}}` : `{${fields.join(' ')}}`;
  return isPointer ? `&${body}` : body;
}

function formatPointer(flags: Flags, type: GoType, address: bigint, verb: string, value: Value): string {
  const hexadecimal = () => formatInteger({ ...flags, sharp: !flags.sharp }, address, 16);
  switch (verb) {
    case 'v':
      if (flags.sharpV) return `(${type.name})(${address === 0n ? 'nil' : hexadecimal()})`;
      return address === 0n ? pad(flags, '<nil>') : hexadecimal();
    case 'p':
      return hexadecimal();
    case 'b':
      return formatInteger(flags, address, 2);
    case 'o':
      return formatInteger(flags, address, 8);
    case 'd':
      return formatInteger(flags, address, 10);
    case 'x':
    case 'X':
      return formatInteger(flags, address, 16, verb === 'X');
    default:
      return `%!${verb}(${type.name}=${value instanceof GoFunc ? hexadecimal() : pad(flags, '<nil>')})`;
  }
}
