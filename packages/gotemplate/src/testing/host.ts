/** The typed value of the cases with `host: true`; `oracle/host.go` builds the same one. */

import { GoError } from '../errors.ts';
import { define, method } from '../value/function.ts';
import * as types from '../value/types.ts';
import { Complex, GoMap, GoNil, GoObject, GoSlice, Int, nilSlice, type Value } from '../value/values.ts';

const fieldOf = (object: GoObject, name: string) => object.field(name)!.value;

const POINT: types.GoType = {
  name: 'main.point',
  kind: 'struct',
  named: true,
  text: (point: GoObject) => `<${(fieldOf(point, 'X') as Int).value},${(fieldOf(point, 'Y') as Int).value}>`,
};

const USER: types.GoType = {
  name: 'main.user',
  kind: 'struct',
  named: true,
  fieldNames: ['Name', 'Age', 'Email', 'Friend', 'Tags', 'Extra'],
  methods: {
    Greet: method('string', (user: GoObject, greeting) => `${greeting}, ${fieldOf(user, 'Name')}`),
    Rename: method('string', (user: GoObject, name) => makeUser(name, fieldOf(user, 'Age'))),
    Sum: method('...int', (_: GoObject, ...numbers) => new Int(BigInt(numbers.reduce((total, n) => total + n, 0)))),
    Fail: method('', () => {
      throw new GoError('no such luck');
    }),
    Maybe: method('bool', (_: GoObject, ok) => {
      if (!ok) throw new GoError('not ok');
      return new Int(7n);
    }),
    Panic: method('', () => {
      throw new GoError('help');
    }),
  },
};
const USER_POINTER = types.pointerTo(USER);
const STRING_POINTER = types.pointerTo(types.STRING);
const ERROR: types.GoType = {
  name: '*errors.errorString',
  kind: 'ptr',
  named: false,
  elem: { name: 'errors.errorString', kind: 'struct', named: true },
  text: () => 'an error value',
};

function makeUser(name: string, age: Value, more: Partial<Record<string, Value>> = {}): GoObject {
  return new GoObject(USER_POINTER, [
    { name: 'Name', value: name },
    { name: 'Age', value: age },
    { name: 'Email', value: more['Email'] ?? new GoNil(STRING_POINTER) },
    { name: 'Friend', value: more['Friend'] ?? new GoNil(USER_POINTER) },
    { name: 'Tags', value: more['Tags'] ?? nilSlice(types.STRING_SLICE) },
    { name: 'Extra', value: more['Extra'] ?? new GoMap([], types.ANY_MAP, true) },
    { name: 'secret', value: '', hidden: true },
  ]);
}

const uint8 = (value: number) => new Int(BigInt(value), types.UINT8);

export function hostData(): GoMap {
  const ints = [3, 1, 2].map(value => new Int(BigInt(value)));
  return new GoMap([
    ['Int', new Int(42n)],
    ['Int64', new Int(-7n, types.INT64)],
    ['Int8', new Int(-8n, types.INT8)],
    ['Uint', new Int(9n, types.UINT)],
    ['Uint8', uint8(200)],
    ['Uint64', new Int(18446744073709551615n, types.UINT64)],
    ['Float', 3.5],
    ['Complex', new Complex(1, -2)],
    ['Bytes', new TextEncoder().encode('hello')],
    ['Strings', new GoSlice(['b', 'a'], types.STRING_SLICE)],
    ['Ints', new GoSlice(ints, types.INT_SLICE)],
    ['StrMap', new GoMap(Object.entries({ k: 'v', j: 'w' }), types.STRING_MAP)],
    ['IntMap', new GoMap(Object.entries({ one: new Int(1n), two: new Int(2n) }), types.mapOf(types.INT))],
    ['NilMap', new GoMap([], types.ANY_MAP, true)],
    ['NilSlice', nilSlice()],
    ['NilUser', new GoNil(USER_POINTER)],
    ['Nil', null],
    [
      'Point',
      new GoObject(POINT, [
        { name: 'X', value: new Int(1n) },
        { name: 'Y', value: new Int(2n) },
        { name: 'Label', value: 'p' },
        { name: 'hidden', value: 'h', hidden: true },
      ]),
    ],
    [
      'User',
      makeUser('Ada', uint8(36), {
        Email: new GoObject(STRING_POINTER, []),
        Tags: new GoSlice(['x', 'y'], types.STRING_SLICE),
        Extra: new GoMap([['k', 1]]),
        Friend: makeUser('Bob', uint8(0)),
      }),
    ],
    ['Add', define('int, int', (a, b) => new Int(BigInt(a + b))).returning('int')],
    [
      'Join',
      define('string, ...string', (separator, ...parts) => `${separator}[${parts.join(' ')}]`).returning('string'),
    ],
    [
      'Fails',
      define('', () => {
        throw new GoError('broken');
      }).returning('(string, error)'),
    ],
    ['Error', new GoObject(ERROR, [])],
  ]);
}
