/** Lists. Each function exists twice: sprig's plain form panics where the `must` form returns the error; both end the template. */

import { GoError } from '../errors.ts';
import { compareBytes } from '../text/bytes.ts';
import { deepEqual } from '../value/equal.ts';
import { define, type FuncMap, type GoFunc } from '../value/function.ts';
import { isTrue } from '../value/truth.ts';
import { ANY_SLICE, sliceOf } from '../value/types.ts';
import { elementsOf, GoSlice, kindOf, list, nilSlice, strings, type Value } from '../value/values.ts';
import { toNumber } from './cast.ts';
import { toText, toTexts } from './text.ts';

const nilPointer = () => new GoError('runtime error: invalid memory address or nil pointer dereference');

/** The elements, or sprig's complaint: `Cannot find first on type map`. */
function elements(value: Value, complaint: string): readonly Value[] {
  if (value === null || value === undefined) throw nilPointer();
  const found = elementsOf(value);
  if (!found) throw new GoError(complaint.replace('%s', kindOf(value)));
  return found;
}

const isIn = (haystack: readonly Value[], needle: Value) => haystack.some(item => deepEqual(needle, item));

function chunk(size: number, value: Value): GoSlice {
  const items = elements(value, 'Cannot chunk type %s');
  const type = sliceOf(ANY_SLICE);
  if (size === 0) throw new GoError('runtime error: makeslice: len out of range');
  const chunks: GoSlice[] = [];
  for (let at = 0; at < items.length; at += size) chunks.push(list(items.slice(at, at + size)));
  return new GoSlice(chunks, type);
}

function slice(value: Value, indices: readonly Value[]): Value {
  const items = elements(value, 'list should be type of slice or array but %s');
  if (items.length === 0) return null;
  const start = indices.length > 0 ? toNumber(indices[0]) : 0;
  const end = indices.length > 1 ? toNumber(indices[1]) : items.length;
  if (start < 0 || end < start || end > items.length)
    throw new GoError('reflect.Value.Slice: slice index out of bounds');
  return value instanceof GoSlice
    ? new GoSlice(items.slice(start, end), value.type)
    : (value as Uint8Array).subarray(start, end);
}

const bodies: Record<string, GoFunc> = {
  Append: define('any, any', (value, item) => list([...elements(value, 'Cannot push on type %s'), item])),
  Prepend: define('any, any', (value, item) => list([item, ...elements(value, 'Cannot prepend on type %s')])),
  Chunk: define('int, any', chunk),
  First: define('any', value => elements(value, 'Cannot find first on type %s')[0] ?? null),
  Last: define('any', value => elements(value, 'Cannot find last on type %s').at(-1) ?? null),
  Rest: define('any', value => {
    const items = elements(value, 'Cannot find rest on type %s');
    return items.length === 0 ? nilSlice() : list(items.slice(1));
  }),
  Initial: define('any', value => {
    const items = elements(value, 'Cannot find initial on type %s');
    return items.length === 0 ? nilSlice() : list(items.slice(0, -1));
  }),
  Reverse: define('any', value => list([...elements(value, 'Cannot find reverse on type %s')].reverse())),
  Compact: define('any', value => list(elements(value, 'Cannot compact on type %s').filter(isTrue))),
  Uniq: define('any', value => {
    const kept: Value[] = [];
    for (const item of elements(value, 'Cannot find uniq on type %s')) if (!isIn(kept, item)) kept.push(item);
    return list(kept);
  }),
  Without: define('any, ...any', (value, ...omitted) =>
    list(elements(value, 'Cannot find without on type %s').filter(item => !isIn(omitted, item))),
  ),
  Has: define('any, any', (needle, haystack) =>
    haystack === null ? false : isIn(elements(haystack, 'Cannot find has on type %s'), needle),
  ),
  Slice: define('any, ...any', (value, ...indices) => slice(value, indices)),
};

const pairs = Object.entries(bodies).flatMap(([name, body]) => [
  [name[0]!.toLowerCase() + name.slice(1), body],
  [`must${name}`, body],
]);

const makeList = define('...any', (...items) => list(items));

export const listFunctions: FuncMap = {
  ...Object.fromEntries(pairs),
  push: bodies['Append']!,
  mustPush: bodies['Append']!,
  list: makeList,
  tuple: makeList,
  concat: define('...any', (...lists) => {
    const items = lists.flatMap(value => elements(value, 'Cannot concat type %s as list'));
    return items.length === 0 ? nilSlice() : list(items);
  }),
  sortAlpha: define('any', value =>
    strings(elementsOf(value) ? toTexts(value).sort(compareBytes) : [value === null ? '<nil>' : toText(value)]),
  ),
};
