/** Structural schemas: decode, prune, default, validate. Pure; built-ins and custom resources alike. */
export { type Decoded, DecodeError, parseJson, parseYaml } from './decode.ts';
export { applyDefaults } from './defaults.ts';
export { OBJECT_META } from './object-meta.ts';
export { duplicateField, prune, strictDecodingError, unknownField } from './prune.ts';
export { validateRules } from './rules.ts';
export type { Schema, ValidationRule } from './schema.ts';
export { type ValidateOptions, validate } from './validate.ts';
