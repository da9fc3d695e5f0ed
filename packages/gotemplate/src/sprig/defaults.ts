/** Defaults, choices, reflection and JSON. */

import { GoError } from '../errors.ts';
import { sprintf } from '../fmt/format.ts';
import { decodeJson } from '../json/decode.ts';
import { encodeJson, type JsonOptions } from '../json/encode.ts';
import { deepEqual } from '../value/equal.ts';
import { define, type FuncMap } from '../value/function.ts';
import { isTrue } from '../value/truth.ts';
import { kindOf, type Value } from '../value/values.ts';

const isEmpty = (value: Value) => !isTrue(value);
const typeName = (value: Value) => sprintf('%T', [value]);

function orEmpty<T extends Value>(make: () => T, otherwise: T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof GoError) return otherwise;
    throw error;
  }
}

const pretty: JsonOptions = { indent: '  ' };
const raw: JsonOptions = { escapeHtml: false };

export const defaultFunctions: FuncMap = {
  default: define('any, ...any', (fallback, ...given) =>
    given.length === 0 || isEmpty(given[0]) ? fallback : given[0],
  ),
  empty: define('any', isEmpty),
  coalesce: define('...any', (...values) => values.find(isTrue) ?? null),
  all: define('...any', (...values) => values.every(isTrue)),
  any: define('...any', (...values) => values.some(isTrue)),
  ternary: define('any, any, bool', (yes, no, condition) => (condition ? yes : no)),
  fail: define('string', message => {
    throw new GoError(message);
  }),
  typeOf: define('any', typeName),
  typeIs: define('string, any', (target, value) => target === typeName(value)),
  typeIsLike: define('string, any', (target, value) => [target, `*${target}`].includes(typeName(value))),
  kindOf: define('any', kindOf),
  kindIs: define('string, any', (target, value) => target === kindOf(value)),
  deepEqual: define('any, any', deepEqual),
  fromJson: define('string', text => orEmpty(() => decodeJson(text), null)),
  mustFromJson: define('string', decodeJson),
  toJson: define('any', value => orEmpty(() => encodeJson(value), '')),
  mustToJson: define('any', value => encodeJson(value)),
  toPrettyJson: define('any', value => orEmpty(() => encodeJson(value, pretty), '')),
  mustToPrettyJson: define('any', value => encodeJson(value, pretty)),
  toRawJson: define('any', value => encodeJson(value, raw)),
  mustToRawJson: define('any', value => encodeJson(value, raw)),
};
