/** The functions Helm adds to sprig, except those that need the template set. */

import {
  decodeJson,
  define,
  encodeJson,
  type FuncMap,
  GoError,
  GoMap,
  GoSlice,
  type SprigOptions,
  sprig,
  type Value,
  yamlFunctions,
} from '@capstan/gotemplate';
import type { HelmVersion } from '../version.ts';
import { durationFunctions } from './durations.ts';
import { tomlFunctions } from './toml-functions.ts';

/** What a failing step gives instead. */
function recover<T>(step: () => T, otherwise: (message: string) => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof GoError) return otherwise(error.message);
    throw error;
  }
}

function jsonMismatch(value: Value, target: string): GoError {
  const kind = value instanceof GoMap ? 'object' : value instanceof GoSlice ? 'array' : typeof value;
  return new GoError(`json: cannot unmarshal ${kind === 'boolean' ? 'bool' : kind} into Go value of type ${target}`);
}

function fromJson(text: string): GoMap {
  const value = decodeJson(text);
  if (value === null) return new GoMap([], undefined, true);
  if (value instanceof GoMap) return value;
  throw jsonMismatch(value, 'map[string]interface {}');
}

function fromJsonArray(text: string): GoSlice {
  const value = decodeJson(text);
  if (value === null) return new GoSlice([], undefined, true);
  if (value instanceof GoSlice) return value;
  throw jsonMismatch(value, '[]interface {}');
}

const jsonFunctions: FuncMap = {
  toJson: define('any', value =>
    recover(
      () => encodeJson(value),
      () => '',
    ),
  ),
  fromJson: define('string', text =>
    recover(
      () => fromJson(text),
      message => new GoMap([['Error', message]]),
    ),
  ),
  fromJsonArray: define('string', text =>
    recover(
      () => fromJsonArray(text),
      message => new GoSlice([message]),
    ),
  ),
};

/** Only Helm 4 has these; a chart for it that names one does not parse under Helm 3. sprig's own `mustToJson` stays in 3. */
const sinceFour: FuncMap = { ...durationFunctions, mustToJson: define('any', value => encodeJson(value)) };

const real = new Map<HelmVersion, FuncMap>();

/** What templates can call, before `include`, `tpl` and their like are added. */
export function baseFunctions(helm: HelmVersion, system: SprigOptions['system']): FuncMap {
  if (system !== undefined) return makeFunctions(helm, system);
  const known = real.get(helm) ?? makeFunctions(helm, undefined);
  real.set(helm, known);
  return known;
}

function makeFunctions(helm: HelmVersion, system: SprigOptions['system']): FuncMap {
  const { env: _, expandenv: __, ...rest } = sprig(system === undefined ? {} : { system });
  const { mustToYaml, ...yaml } = yamlFunctions;
  const { mustToToml, ...toml } = tomlFunctions;
  const extra = helm === 4 ? { ...sinceFour, mustToYaml: mustToYaml!, mustToToml: mustToToml! } : {};
  return {
    ...rest,
    ...yaml,
    ...toml,
    ...jsonFunctions,
    ...extra,
    // Templates do not reach the network.
    getHostByName: define('string', () => ''),
  };
}
