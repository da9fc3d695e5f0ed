/** More values that do not fit, with an eye on the corners: formats and types, fractions and bounds, quoting, alternatives. */
import type { ValueCase } from './validate.cases.fixture.ts';

export const ODD_VALUE_CASES: readonly ValueCase[] = [
  [
    'boolean from text',
    'true',
    { type: 'boolean' },
    ['spec.x: Invalid value: "string": spec.x in body must be of type boolean: "string"'],
  ],
  [
    'list from object',
    {},
    { type: 'array', items: { type: 'string' } },
    ['spec.x: Invalid value: "object": spec.x in body must be of type array: "object"'],
  ],
  [
    'nested required',
    { a: {} },
    { type: 'object', properties: { a: { type: 'object', required: ['b'], properties: { b: { type: 'string' } } } } },
    ['spec.x.a.b: Required value'],
  ],
  [
    'int32 from fraction',
    1.5,
    { type: 'integer', format: 'int32' },
    [
      'spec.x: Invalid value: "float64": spec.x in body must be of type int32: "float64"',
      '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.x',
    ],
  ],
  [
    'object where a format is',
    {},
    { type: 'string', format: 'date' },
    ['spec.x: Invalid value: "": spec.x in body must be of type date: ""'],
  ],
  ['a list where a text format is', ['2026-01-01'], { type: 'string', format: 'date' }, []],
  [
    'text where a number format is',
    'x',
    { type: 'integer', format: 'int64' },
    ['spec.x: Invalid value: "string": spec.x in body must be of type integer: "string"'],
  ],
  [
    'whole number against a fractional bound',
    11,
    { type: 'number', maximum: 10.5 },
    ['spec.x: Invalid value: 11: spec.x in body should be less than or equal to 10'],
  ],
  [
    'fraction against a fractional bound',
    10.75,
    { type: 'number', maximum: 10.5 },
    ['spec.x: Invalid value: 10.75: spec.x in body should be less than or equal to 10.5'],
  ],
  [
    'integer with a fractional bound',
    11,
    { type: 'integer', maximum: 10.5 },
    [
      '<nil>: Invalid value: "": Maximum boundary value must be of type integer (default format) in spec.x',
      'spec.x: Invalid value: 11: spec.x in body should be less than or equal to 10.5',
    ],
  ],
  [
    'whole number and a fractional multiple',
    3,
    { type: 'number', multipleOf: 0.5 },
    ['spec.x: Invalid value: 0: factor MultipleOf declared for spec.x must be positive: 0'],
  ],
  [
    'fraction that is no multiple',
    0.75,
    { type: 'number', multipleOf: 0.5 },
    ['spec.x: Invalid value: 0.75: spec.x in body should be a multiple of 0.5'],
  ],
  [
    'large bounds',
    5,
    { type: 'number', minimum: 1e15 },
    ['spec.x: Invalid value: 5: spec.x in body should be greater than or equal to 1000000000000000'],
  ],
  [
    'a number in a list',
    [1, 'a', null],
    { type: 'array', items: { type: 'integer' } },
    [
      'spec.x[1]: Invalid value: "string": spec.x[1] in body must be of type integer: "string"',
      'spec.x[2]: Invalid value: "null": spec.x[2] in body must be of type integer: "null"',
    ],
  ],
  [
    'both ends',
    'abc',
    { type: 'string', maxLength: 2, pattern: '^x' },
    ['spec.x: Too long: may not be more than 2 bytes'],
  ],
  [
    'pattern and format',
    'abc',
    { type: 'string', pattern: '^x', format: 'date' },
    [
      `spec.x: Invalid value: "abc": spec.x in body should match '^x'`,
      'spec.x: Invalid value: "abc": spec.x in body must be of type date: "abc"',
    ],
  ],
  [
    'enum of objects',
    { a: 2 },
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, enum: [{ a: 1 }] },
    ['spec.x: Unsupported value: {"a":2}: supported values: "{\\"a\\":1}"'],
  ],
  [
    'quotes in text',
    'a"b',
    { type: 'string', pattern: '^x' },
    [`spec.x: Invalid value: "a\\"b": spec.x in body should match '^x'`],
  ],
  [
    'line breaks in text',
    'a\nb\u0001',
    { type: 'string', pattern: '^x' },
    [`spec.x: Invalid value: "a\\nb\\x01": spec.x in body should match '^x'`],
  ],
  [
    'markup in text',
    '<b>&',
    { type: 'string', enum: ['<a>'] },
    ['spec.x: Unsupported value: "<b>&": supported values: "<a>"'],
  ],
  [
    'a set of objects',
    [{ a: 1 }, { a: 1 }],
    {
      type: 'array',
      items: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: { type: 'integer' } } },
      'x-kubernetes-list-type': 'set',
    },
    ['spec.x[1]: Duplicate value: {"a":1}'],
  ],
  [
    'a map with two keys',
    [
      { a: 'x', b: 1 },
      { a: 'x', b: 2 },
      { a: 'x', b: 1 },
    ],
    {
      type: 'array',
      items: { type: 'object', required: ['a', 'b'], properties: { a: { type: 'string' }, b: { type: 'integer' } } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a', 'b'],
    },
    ['spec.x[2]: Duplicate value: {"a":"x","b":1}'],
  ],
  [
    'a duplicate in a map of lists',
    { m: ['a', 'a'] },
    {
      type: 'object',
      additionalProperties: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    },
    ['spec.x[m][1]: Duplicate value: "a"'],
  ],
  [
    'typed anyOf',
    { a: 1 },
    {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'integer' } },
      anyOf: [{ required: ['b'] }, { properties: { a: { minimum: 5 } } }],
    },
    [
      '<nil>: Invalid value: "": "spec.x" must validate at least one schema (anyOf)',
      'spec.x.a: Invalid value: 1: spec.x.a in body should be greater than or equal to 5',
    ],
  ],
  [
    'typed oneOf with none',
    {},
    {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'integer' } },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    [
      '<nil>: Invalid value: "": "spec.x" must validate one and only one schema (oneOf). Found none valid',
      'spec.x.a: Required value',
    ],
  ],
  [
    'typed oneOf with two',
    { a: 1, b: 1 },
    {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'integer' } },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    ['<nil>: Invalid value: "": "spec.x" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
  ],
  [
    'typed allOf',
    5,
    { type: 'integer', allOf: [{ minimum: 6 }, { maximum: 3 }] },
    [
      'spec.x: Invalid value: 5: spec.x in body should be greater than or equal to 6',
      'spec.x: Invalid value: 5: spec.x in body should be less than or equal to 3',
      '<nil>: Invalid value: "": "spec.x" must validate all the schemas (allOf). None validated',
    ],
  ],
  [
    'typed not',
    5,
    { type: 'integer', not: { minimum: 3 } },
    ['<nil>: Invalid value: "": "spec.x" must not validate the schema (not)'],
  ],
  [
    'an embedded resource without a type',
    { metadata: { name: 'a' } },
    { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    ['spec.x.apiVersion: Required value', 'spec.x.kind: Required value'],
  ],
  [
    'an embedded resource with odd names',
    { apiVersion: 'a/b/c', kind: 'Some Kind', metadata: { name: 'a/b', namespace: 'A' } },
    { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    [
      'spec.x.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
      `spec.x.kind: Invalid value: "Some Kind": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
      `spec.x.metadata.name: Invalid value: "a/b": may not contain '/'`,
      `spec.x.metadata.namespace: Invalid value: "A": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
    ],
  ],
];
