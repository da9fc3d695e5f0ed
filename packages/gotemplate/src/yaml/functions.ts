/** The YAML functions Helm adds to sprig. */

import { GoError } from '../errors.ts';
import { define, type FuncMap } from '../value/function.ts';
import { elementsOf, GoMap, type GoSlice, list, type Value } from '../value/values.ts';
import { parseYaml } from './decode.ts';
import { emitYaml } from './encode.ts';
import { emitYamlPretty } from './pretty.ts';

const withoutLastBreak = (text: string) => (text.endsWith('\n') ? text.slice(0, -1) : text);

/** What JSON calls a value that does not fit its target. */
function jsonKind(value: Value): string {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string' || typeof value === 'number') return typeof value;
  return value instanceof GoMap ? 'object' : 'array';
}

function mismatch(value: Value, target: string): GoError {
  return new GoError(
    `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${jsonKind(value)} into Go value of type ${target}`,
  );
}

function fromYaml(text: string): GoMap {
  const value = parseYaml(text);
  if (value === null) return new GoMap();
  if (value instanceof GoMap) return value;
  throw mismatch(value, 'map[string]interface {}');
}

function fromYamlArray(text: string): GoSlice {
  const value = parseYaml(text);
  if (value === null) return list([]);
  if (elementsOf(value)) return value as GoSlice;
  throw mismatch(value, '[]interface {}');
}

function recover<T>(make: () => T, otherwise: (message: string) => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof GoError) return otherwise(error.message);
    throw error;
  }
}

/** `toYaml`, `mustToYaml`, `toYamlPretty`, `fromYaml` and `fromYamlArray` with Helm's handling of errors. */
export const yamlFunctions: FuncMap = {
  toYaml: define('any', value =>
    recover(
      () => withoutLastBreak(emitYaml(value)),
      () => '',
    ),
  ),
  mustToYaml: define('any', value => withoutLastBreak(emitYaml(value))),
  toYamlPretty: define('any', value =>
    recover(
      () => withoutLastBreak(emitYamlPretty(value)),
      () => '',
    ),
  ),
  fromYaml: define('string', text =>
    recover(
      () => fromYaml(text),
      message => new GoMap([['Error', message]]),
    ),
  ),
  fromYamlArray: define('string', text =>
    recover(
      () => fromYamlArray(text),
      message => list([message]),
    ),
  ),
};
