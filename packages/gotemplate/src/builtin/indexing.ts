/** `index`, `slice`, `len`. */

import { GoError } from '../errors.ts';
import { zeroOf } from '../exec/types.ts';
import { byteLength, byteSlice, toBytes } from '../text/bytes.ts';
import { define, type FuncMap } from '../value/function.ts';
import { STRING, UINT8 } from '../value/types.ts';
import { elementsOf, GoMap, GoNil, GoSlice, Int, int, typeOf, type Value } from '../value/values.ts';

/** An index into something of a length; the length itself passes, as in Go, and is caught by the access. */
function position(index: Value, capacity: number): number {
  if (index === undefined || index === null) throw new GoError('cannot index slice/array with nil');
  if (!(index instanceof Int)) throw new GoError(`cannot index slice/array with type ${typeOf(index)!.name}`);
  if (index.value < 0n || index.value > BigInt(capacity)) throw new GoError(`index out of range: ${index.value}`);
  return Number(index.value);
}

function indexOne(item: Value, index: Value): Value {
  if (item === undefined || item === null || item instanceof GoNil) throw new GoError('index of nil pointer');
  if (item instanceof GoMap) return mapElement(item, index);
  const elements = typeof item === 'string' ? undefined : elementsOf(item);
  if (typeof item !== 'string' && !elements) throw new GoError(`can't index item of type ${typeOf(item)!.name}`);
  const length = typeof item === 'string' ? byteLength(item) : elements!.length;
  const at = position(index, length);
  if (at >= length) throw new GoError(`reflect: ${typeof item === 'string' ? 'string' : 'slice'} index out of range`);
  return typeof item === 'string' ? new Int(BigInt(toBytes(item)[at]!), UINT8) : elements![at];
}

function mapElement(map: GoMap, key: Value): Value {
  if (key === undefined || key === null) throw new GoError(`value is nil; should be of type ${STRING.name}`);
  if (typeof key !== 'string') throw new GoError(`value has type ${typeOf(key)!.name}; should be ${STRING.name}`);
  return map.has(key) ? map.get(key) : zeroOf(map.type.elem!);
}

function slice(item: Value, indexes: readonly Value[]): Value {
  if (item === undefined || item === null) throw new GoError('slice of untyped nil');
  if (item instanceof GoNil) throw new GoError('slice of nil pointer');
  if (indexes.length > 3) throw new GoError(`too many slice indexes: ${indexes.length}`);
  const isText = typeof item === 'string';
  if (isText && indexes.length === 3) throw new GoError('cannot 3-index slice a string');
  if (!isText && !(item instanceof GoSlice) && !(item instanceof Uint8Array)) {
    throw new GoError(`can't slice item of type ${typeOf(item)!.name}`);
  }
  const length = isText ? byteLength(item) : item instanceof GoSlice ? item.items.length : item.length;
  const [start = 0, end = length, capacity] = indexes.map(index => position(index, length));
  if (start > end) throw new GoError(`invalid slice index: ${start} > ${end}`);
  if (capacity !== undefined && end > capacity) throw new GoError(`invalid slice index: ${end} > ${capacity}`);
  if (isText) return byteSlice(item, start, end);
  return item instanceof GoSlice ? new GoSlice(item.items.slice(start, end), item.type) : item.subarray(start, end);
}

function length(item: Value): Int {
  if (typeof item === 'string') return int(byteLength(item));
  if (item instanceof GoMap) return int(item.size);
  if (item instanceof GoSlice) return int(item.items.length);
  if (item instanceof Uint8Array) return int(item.length);
  if (item === null || item instanceof GoNil) throw new GoError('len of nil pointer');
  // Go calls Type() on the value that is not there, and reports the panic.
  if (item === undefined) throw new GoError('reflect: call of reflect.Value.Type on zero Value');
  const type = typeOf(item)!;
  throw new GoError(`len of type ${type.kind === 'ptr' ? type.elem!.name : type.name}`);
}

export const indexing: FuncMap = {
  index: define('value, ...value', (item, ...indexes) => {
    if (item === undefined || item === null) throw new GoError('index of untyped nil');
    return indexes.reduce(indexOne, item);
  }),
  slice: define('value, ...value', (item, ...indexes) => slice(item, indexes)),
  len: define('value', length),
};
