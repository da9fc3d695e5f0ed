/** What can be wrong with the schema of a CRD. */

import { widgetCrd, widgetSchema, widgetVersion } from './crd.fixture.ts';
import { type CrdCase, named, root, withField, withRoot, x } from './crd-case.fixture.ts';
import type { JsonSchema } from './types.ts';

const ADVICE =
  'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';

export const SCHEMA_CASES: readonly CrdCase[] = [
  named(
    'no type at the root',
    withRoot({ type: undefined }),
    `${root}.type: Required value: must not be empty at the root`,
  ),
  named(
    'a root that is no object',
    withRoot({ type: 'array', items: { type: 'string' } }),
    `${root}.type: Invalid value: "array": must be object at the root`,
  ),
  named(
    'a nullable root',
    withRoot({ nullable: true }),
    `${root}.nullable: Forbidden: nullable cannot be true at the root`,
  ),
  named(
    'no type of a field',
    withField({}),
    `${x}.type: Required value: must not be empty for specified object fields`,
  ),
  named(
    'an unknown type',
    withField({ type: 'text' }),
    `${x}.type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"`,
  ),
  named('a list without items', withField({ type: 'array' }), `${x}.items: Required value: must be specified`),
  named(
    'items without a type',
    withField({ type: 'array', items: {} }),
    `${x}.items.type: Required value: must not be empty for specified array items`,
  ),
  named(
    'additional properties at the root',
    withRoot({ properties: undefined, additionalProperties: { type: 'string' } }),
    `${root}.additionalProperties: Forbidden: must not be used at the root`,
  ),
  named(
    'properties and additional properties',
    withField({ type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'string' } }),
    `${x}.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`,
  ),
  named(
    'metadata that says more than names',
    withRoot({ properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } } }),
    `${root}.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified`,
  ),
  named(
    'metadata that is no object',
    withRoot({ properties: { metadata: { type: 'string' }, kind: { type: 'integer' } } }),
    `${root}.properties[metadata].type: Invalid value: "string": must be object`,
    `${root}.properties[kind].type: Invalid value: "integer": must be string`,
  ),
  named(
    'a broken pattern',
    withField({ type: 'string', pattern: '[a' }),
    `${x}.pattern: Invalid value: "[a": must be a valid regular expression, but isn't: error parsing regexp: missing closing ]: \`[a\``,
  ),
  named(
    'a type in a restriction',
    withField({ type: 'string', anyOf: [{ type: 'string' }, { pattern: 'a' }] }),
    `${x}.anyOf[0].type: Forbidden: must be empty to be structural`,
  ),
  named(
    'int-or-string may say so',
    withField({ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] }),
  ),
  named(
    'everything that a restriction must not say',
    withField({
      type: 'object',
      properties: { a: { type: 'string' } },
      not: {
        title: 't',
        description: 'd',
        nullable: true,
        default: 1,
        additionalProperties: { minLength: 1 },
        'x-kubernetes-preserve-unknown-fields': true,
        'x-kubernetes-map-type': 'atomic',
      },
    }),
    `${x}.not.title: Forbidden: must be empty to be structural`,
    `${x}.not.description: Forbidden: must be empty to be structural`,
    `${x}.not.nullable: Forbidden: must be false to be structural`,
    `${x}.not.default: Forbidden: must be undefined to be structural`,
    `${x}.not.additionalProperties: Forbidden: must be undefined to be structural`,
    `${x}.not.x-kubernetes-preserve-unknown-fields: Forbidden: must be false to be structural`,
    `${x}.not.x-kubernetes-map-type: Forbidden: must be undefined to be structural`,
    `${x}.not.type: Required value: must be object if x-kubernetes-map-type is specified`,
  ),
  named(
    'a restriction of what is not specified',
    withField({ type: 'object', oneOf: [{ properties: { b: { minLength: 1 } } }] }),
  ),
  named(
    'a restriction at the root of what is not specified',
    withRoot({ oneOf: [{ properties: { nothing: { minLength: 1 } } }] }),
    `${root}.properties[nothing]: Required value: because it is defined in ${root}.oneOf[0].properties[nothing]`,
  ),
  named(
    'unique items',
    withField({ type: 'array', items: { type: 'string' }, uniqueItems: true }),
    `${x}.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`,
  ),
  named(
    'what is not supported',
    withField({ type: 'object', id: 'a', $ref: '#/b', patternProperties: { a: { type: 'string' } } }),
    `${x}.id: Forbidden: id is not supported`,
    `${x}.$ref: Forbidden: $ref is not supported`,
    `${x}.patternProperties: Forbidden: patternProperties is not supported`,
  ),
  named(
    'preserve-unknown-fields false',
    withField({ type: 'object', 'x-kubernetes-preserve-unknown-fields': false }),
    `${x}.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined`,
  ),
  named(
    'an embedded resource that is no object',
    withField({ type: 'string', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true }),
    `${x}.type: Invalid value: "string": must be object if x-kubernetes-embedded-resource is true`,
  ),
  named(
    'an embedded resource without fields',
    withField({ type: 'object', 'x-kubernetes-embedded-resource': true }),
    `${x}.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields`,
  ),
  named(
    'int-or-string that preserves',
    withField({ 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true }),
    `${x}.x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if x-kubernetes-int-or-string is true`,
  ),
  named('a restriction at the root of a schema with status', withRoot({ maxProperties: 3 } as JsonSchema)),

  named(
    'a list type of no list',
    withField({ type: 'object', 'x-kubernetes-list-type': 'set' }),
    `${x}.type: Invalid value: "object": must be array if x-kubernetes-list-type is specified`,
  ),
  named(
    'an unknown list type',
    withField({ type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'bag' as 'set' }),
    `${x}.x-kubernetes-list-type: Unsupported value: "bag": supported values: "atomic", "set", "map"`,
  ),
  named(
    'a map without keys',
    withField({ type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'map' }),
    `${x}.x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map`,
  ),
  named(
    'keys without a map',
    withField({ type: 'array', items: { type: 'object' }, 'x-kubernetes-list-map-keys': ['a'] }),
    `${x}.x-kubernetes-list-type: Required value: must be map if x-kubernetes-list-map-keys is non-empty`,
  ),
  named(
    'keys that are not there, optional, nullable or objects',
    withField({
      type: 'array',
      items: {
        type: 'object',
        nullable: true,
        required: ['c'],
        properties: { b: { type: 'string', nullable: true }, c: { type: 'object' } },
      },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a', 'b', 'c', 'c'],
    }),
    `${x}.x-kubernetes-list-map-keys: Invalid value: ["a","b","c","c"]: entries must all be names of item properties`,
    `${x}.x-kubernetes-list-map-keys: Invalid value: ["a","b","c","c"]: must not contain duplicate entries`,
    `${x}.items.properties[c].type: Invalid value: "object": must be a scalar type if parent array's x-kubernetes-list-type is map`,
    `${x}.items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is map`,
    `${x}.items.properties[b].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property`,
    `${x}.items.properties[b].nullable: Forbidden: this property is in x-kubernetes-list-map-keys, so it cannot be nullable`,
  ),
  named(
    'a set of objects that are not atomic',
    withField({ type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'set' }),
    `${x}.items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set`,
  ),
  named(
    'a map type of no object',
    withField({ type: 'string', 'x-kubernetes-map-type': 'round' as 'atomic' }),
    `${x}.type: Invalid value: "string": must be object if x-kubernetes-map-type is specified`,
    `${x}.x-kubernetes-map-type: Unsupported value: "round": supported values: "atomic", "granular"`,
  ),

  named(
    'a default of another type',
    withField({ type: 'integer', default: 'x' }),
    `${x}.default: Invalid value: "string": ${'' /* the path of a default's root is empty */} in body must be of type integer: "string"`,
  ),
  named(
    'a default with unknown fields',
    withField({ type: 'object', properties: { a: { type: 'string' } }, default: { b: 1 } }),
    `${x}.default: Invalid value: {"b":1}: must not have unknown fields`,
  ),
  named(
    'a default in metadata',
    withRoot({ properties: { metadata: { type: 'object', properties: { name: { type: 'string', default: 'x' } } } } }),
    `${root}.properties[metadata].properties[name].default: Forbidden: must not be set in top-level metadata`,
  ),

  named(
    'rules that cannot be shown',
    withField({
      type: 'object',
      'x-kubernetes-validations': [
        { rule: ' ' },
        { rule: 'true', message: ' ' },
        { rule: 'true', message: 'a\nb' },
        { rule: 'true\n&& true' },
        { rule: 'true', reason: 'Because' as 'FieldValueInvalid' },
        { rule: 'true', fieldPath: '.nowhere' },
        { rule: 'true', messageExpression: ' ' },
      ],
    }),
    `${x}.x-kubernetes-validations[0].rule: Required value: rule is not specified`,
    `${x}.x-kubernetes-validations[1].message: Invalid value: " ": must be non-empty if specified`,
    `${x}.x-kubernetes-validations[2].message: Invalid value: "a\\nb": must not contain line breaks`,
    `${x}.x-kubernetes-validations[3].message: Required value: message must be specified if rule contains line breaks`,
    `${x}.x-kubernetes-validations[4].reason: Unsupported value: "Because": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"`,
    `${x}.x-kubernetes-validations[5].fieldPath: Invalid value: ".nowhere": must be a valid path`,
    `${x}.x-kubernetes-validations[6].messageExpression: Required value: messageExpression must be non-empty if specified`,
  ),
  named(
    'versions that differ are reported apart',
    widgetCrd({
      versions: [
        widgetVersion(),
        widgetVersion({ name: 'v2', storage: false, schema: { openAPIV3Schema: widgetSchema({ x: {} }) } }),
      ],
    }),
    'spec.versions[1].schema.openAPIV3Schema.properties[spec].properties[x].type: Required value: must not be empty for specified object fields',
  ),

  named(
    'a rule that does not compile',
    withField({ type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > "a"' }] }),
    `${x}.x-kubernetes-validations[0].rule: Invalid value: {"Rule":"self \\u003e \\"a\\"","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: compilation failed: ERROR: <input>:1:6: found no matching overload for '_>_' applied to '(int, string)'\n | self > "a"\n | .....^`,
  ),
  named(
    'a rule that is no condition',
    withField({ type: 'integer', 'x-kubernetes-validations': [{ rule: 'self + 1' }] }),
    `${x}.x-kubernetes-validations[0].rule: Invalid value: {"Rule":"self + 1","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: cel expression must evaluate to a bool`,
  ),
  named(
    'a message expression that is no text',
    withField({ type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 1', messageExpression: 'self' }] }),
    `${x}.x-kubernetes-validations[0].messageExpression: Invalid value: {"Rule":"self \\u003e 1","Message":"","MessageExpression":"self","Reason":null,"FieldPath":"","OptionalOldSelf":null}: messageExpression must evaluate to a string`,
  ),
  named(
    'a message expression that may be long',
    withField({
      type: 'integer',
      'x-kubernetes-validations': [{ rule: 'self > 1', messageExpression: '"got " + string(self)' }],
    }),
    `${x}.x-kubernetes-validations[0].messageExpression: Forbidden: estimated messageExpression cost exceeds budget by factor of more than 100x (${ADVICE})`,
    `${x}.x-kubernetes-validations[0].messageExpression: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema`,
    `${root}: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x (${ADVICE})`,
  ),
  named(
    'a rule on items of a list without end',
    withField({
      type: 'array',
      items: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self.contains("a")' }] },
    }),
    `${x}.items.x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x (${ADVICE})`,
    `${x}.items.x-kubernetes-validations[0].rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema`,
    `${root}: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x (${ADVICE})`,
  ),
  named(
    'a rule within its limits',
    withField({
      type: 'array',
      maxItems: 10,
      items: { type: 'string', maxLength: 10, 'x-kubernetes-validations': [{ rule: 'self.contains("a")' }] },
    }),
  ),
  named(
    'a transition where items have no past',
    withField({
      type: 'array',
      maxItems: 10,
      items: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= oldSelf' }] },
    }),
    `${x}.items.x-kubernetes-validations[0].rule: Invalid value: "self >= oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within ${x}`,
  ),
  named(
    'an optional old value that is not used',
    withField({ type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 1', optionalOldSelf: true }] }),
    `${x}.x-kubernetes-validations[0].optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule`,
  ),
  named(
    'a default that breaks a rule',
    withField({ type: 'integer', default: 1, 'x-kubernetes-validations': [{ rule: 'self > 1' }] }),
    `${x}.default: Invalid value: 1: failed rule: self > 1`,
  ),
];
