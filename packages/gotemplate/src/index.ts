/**
 * Go's text/template with sprig, Go's fmt, JSON and YAML, exactly: a template rendered here gives the bytes Go gives, and where
 * Go fails, the same message.
 *
 * ```ts
 * import { sprig, Template } from '@capstan/gotemplate';
 *
 * const page = new Template('page', { functions: sprig() }).parse('{{ range .items }}- {{ . | quote }}\n{{ end }}');
 * page.execute({ items: ['a', 'b'] });
 * ```
 */

export { ExecError, GoError, LimitError, type LimitName, ParseError } from './errors.ts';
export type { Execution, MissingKey } from './exec/execution.ts';
export { sprintf } from './fmt/format.ts';
export { sprint, sprintln } from './fmt/print.ts';
export { decodeJson } from './json/decode.ts';
export { encodeJson, type JsonOptions } from './json/encode.ts';
export { Budget, defaultLimits, type Limits } from './limits.ts';
export { parseConstraint } from './semver/constraint.ts';
export { compareVersions, parseVersion, type Version, versionText } from './semver/version.ts';
export { type SprigOptions, sprig } from './sprig/index.ts';
export { compileRegex } from './sprig/regex.ts';
export { type KeyKind, type System, system } from './system.ts';
export { type ExecuteOptions, Template, type TemplateOptions } from './template.ts';
export { fromBytes, toBytes } from './text/bytes.ts';
export { durationText, parseDuration, roundDuration } from './time/duration.ts';
export { DURATION } from './time/time.ts';
export { define, defineWith, type FuncMap, GoFunc, type Method, method } from './value/function.ts';
export { fromHost, go, type HostValue, type Json, namedMap, toHost } from './value/host.ts';
export * as types from './value/types.ts';
export {
  Complex,
  type Field,
  GoMap,
  GoNil,
  GoObject,
  GoSlice,
  Int,
  kindOf,
  typeOf,
  type Value,
} from './value/values.ts';
export { type ParseYamlOptions, parseYaml } from './yaml/decode.ts';
export { emitYaml } from './yaml/encode.ts';
export { yamlFunctions } from './yaml/functions.ts';
export { emitYamlPretty } from './yaml/pretty.ts';
