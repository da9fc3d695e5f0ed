import { get, mergePatch, post, put, remove, type Script, type Step } from '../script.ts';
import { crd, specSchema } from './objects.ts';
import { crds } from './paths.ts';

const group = 'definitions.example.org';
const widgets = `${crds}/widgets.${group}`;
const objects = `/apis/${group}/v1/namespaces/$ns/widgets`;
const valid = (version: object = {}, spec: object = {}) =>
  crd(group, 'Widget', { ...specSchema({ size: { type: 'integer' } }), ...version }, spec);

interface Definition {
  readonly status: {
    readonly acceptedNames?: { readonly shortNames?: readonly string[] };
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}
const isEstablished = (body: unknown): boolean =>
  (body as Definition).status.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') ??
  false;
const hasShortName = (body: unknown): boolean =>
  (body as Definition).status.acceptedNames?.shortNames?.includes('wd') ?? false;

/** A definition with a schema that should not be accepted. */
const badSchema = (title: string, openAPIV3Schema: object): Step =>
  post(title, crds, crd('bad.example.org', 'Bad', { schema: { openAPIV3Schema } }), { query: { dryRun: 'All' } });
const badSpec = (title: string, properties: object): Step =>
  badSchema(title, { type: 'object', properties: { spec: { type: 'object', properties } } });
const bad = (title: string, version: object, spec: object = {}): Step =>
  post(title, crds, crd('bad.example.org', 'Bad', { ...specSchema({ size: { type: 'integer' } }), ...version }, spec), {
    query: { dryRun: 'All' },
  });

export const crdDefinitions: Script = {
  name: 'crd-definitions',
  about: 'definitions of custom resources: what is accepted, established, refused and removed',
  steps: [
    get('a resource that is not defined', objects),
    post('defines it', crds, valid()),
    get('until it is established', widgets, {
      until: { status: 200, holds: isEstablished },
    }),
    get('an empty list of it', objects, { until: { status: 200 } }),
    get('its group', `/apis/${group}`, { until: { status: 200 } }),
    get('its resources', `/apis/${group}/v1`, { until: { status: 200 } }),
    post('creates one', objects, {
      apiVersion: `${group}/v1`,
      kind: 'Widget',
      metadata: { name: 'one' },
      spec: { size: 1 },
    }),
    post('defines it again', crds, valid()),
    mergePatch('changes its group', widgets, { spec: { group: 'other.example.org' } }),
    mergePatch('changes its scope', widgets, { spec: { scope: 'Cluster' } }),
    mergePatch('removes its storage version', widgets, {
      spec: { versions: [{ name: 'v2', served: true, storage: true, ...specSchema({}) }] },
    }),
    mergePatch('adds a short name', widgets, { spec: { names: { shortNames: ['wd'] } } }),
    get('until the short name is accepted', widgets, {
      until: { status: 200, holds: hasShortName },
    }),
    put('a PUT without a version', widgets, valid()),

    bad('no version', {}, { versions: [] }),
    bad('no storage version', { storage: false }),
    bad(
      'two storage versions',
      {},
      {
        versions: ['v1', 'v2'].map(name => ({ name, served: true, storage: true, ...specSchema({}) })),
      },
    ),
    bad(
      'a version twice',
      {},
      {
        versions: [true, false].map(storage => ({ name: 'v1', served: true, storage, ...specSchema({}) })),
      },
    ),
    bad('a version with a bad name', { name: 'V_1' }),
    bad('no schema', { schema: null }),
    bad('another plural than its name says', {}, { names: { plural: 'others', kind: 'Bad' } }),
    bad('an unknown scope', {}, { scope: 'Planet' }),
    bad(
      'a kind with a bad name',
      {},
      { names: { plural: 'bads', singular: 'bad', kind: 'not-Valid!', listKind: 'BadList' } },
    ),
    bad('an unknown conversion', {}, { conversion: { strategy: 'Magic' } }),
    bad('a webhook without a client', {}, { conversion: { strategy: 'Webhook' } }),
    bad('preserveUnknownFields', {}, { preserveUnknownFields: true }),
    bad('a column with an unknown type', {
      additionalPrinterColumns: [{ name: 'Size', type: 'size', jsonPath: '.spec.size' }],
    }),
    bad('a column with a bad path', {
      additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: 'spec.size' }],
    }),
    bad('a scale without its paths', { subresources: { scale: {} } }),
    bad('a scale with a bad path', {
      subresources: { scale: { specReplicasPath: '.size', statusReplicasPath: '.status.size' } },
    }),
    bad('a status that is not empty', { subresources: { status: { a: 1 } } }),
    bad('a selectable field that there is not', { selectableFields: [{ jsonPath: '.spec.color' }] }),
    bad('a selectable field twice', { selectableFields: [{ jsonPath: '.spec.size' }, { jsonPath: '.spec.size' }] }),

    badSchema('a schema without a type', {}),
    badSchema('a schema of another type than object', { type: 'string' }),
    badSpec('a property without a type', { size: {} }),
    badSpec('a property of an unknown type', { size: { type: 'size' } }),
    badSpec('an array without items', { list: { type: 'array' } }),
    badSpec('items that are a list', { list: { type: 'array', items: [{ type: 'string' }] } }),
    badSpec('a $ref', { size: { $ref: '#/definitions/size' } }),
    badSpec('additionalProperties: false', { map: { type: 'object', additionalProperties: false } }),
    badSpec('properties and additionalProperties', {
      map: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'string' } },
    }),
    badSpec('uniqueItems', { list: { type: 'array', items: { type: 'string' }, uniqueItems: true } }),
    badSpec('a pattern that is none', { text: { type: 'string', pattern: '(' } }),
    badSpec('a default of the wrong type', { size: { type: 'integer', default: 'big' } }),
    badSpec('a default that is not pruned', { map: { type: 'object', default: { a: 1 } } }),
    badSpec('a default out of range', { size: { type: 'integer', minimum: 5, default: 1 } }),
    badSpec('a list map without keys', {
      list: { type: 'array', 'x-kubernetes-list-type': 'map', items: { type: 'object' } },
    }),
    badSpec('a list map with a key that is not required', {
      list: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        items: { type: 'object', properties: { k: { type: 'string' } } },
      },
    }),
    badSpec('a list map with a key that there is not', {
      list: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        items: { type: 'object' },
      },
    }),
    badSpec('a set of objects that are not atomic', {
      list: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'object' } },
    }),
    badSpec('an unknown list type', {
      list: { type: 'array', 'x-kubernetes-list-type': 'bag', items: { type: 'string' } },
    }),
    badSpec('an unknown map type', { map: { type: 'object', 'x-kubernetes-map-type': 'bag' } }),
    badSpec('int-or-string with a type', { port: { type: 'integer', 'x-kubernetes-int-or-string': true } }),
    badSpec('preserve-unknown-fields: false', {
      map: { type: 'object', 'x-kubernetes-preserve-unknown-fields': false },
    }),
    badSpec('a type inside anyOf', { port: { type: 'string', anyOf: [{ type: 'string' }] } }),
    badSpec('an anyOf that names a property of its own', {
      map: { type: 'object', anyOf: [{ required: ['a'], properties: { a: { minLength: 1 } } }] },
    }),
    badSchema('a constraint on metadata', {
      type: 'object',
      properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } },
    }),
    badSchema('a constraint on the name, which is allowed', {
      type: 'object',
      properties: { metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 5 } } } },
    }),
    badSpec('a field that schemas do not have', { size: { type: 'integer', colour: 'red' } }),
    badSpec('a rule that is no CEL', { size: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >' }] } }),
    badSpec('a rule that is no boolean', {
      size: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self + 1' }] },
    }),
    badSpec('a rule about a field that there is not', {
      map: {
        type: 'object',
        properties: { a: { type: 'string' } },
        'x-kubernetes-validations': [{ rule: 'self.b == 1' }],
      },
    }),
    badSpec('a rule that mixes types', {
      size: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self == "a"' }] },
    }),
    badSpec('an empty rule', { size: { type: 'integer', 'x-kubernetes-validations': [{ rule: '' }] } }),
    badSpec('a rule that costs too much', {
      list: {
        type: 'array',
        items: { type: 'array', items: { type: 'string' } },
        'x-kubernetes-validations': [{ rule: 'self.all(a, a.all(x, self.all(b, b.exists(y, x == y))))' }],
      },
    }),
    badSpec('a rule with oldSelf in an atomic list', {
      list: { type: 'array', items: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] } },
    }),
    badSpec('a rule whose message has a line break', {
      size: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0', message: 'a\nb' }] },
    }),
    badSpec('a rule with an unknown reason', {
      size: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0', reason: 'Whim' }] },
    }),
    badSpec('a rule with a field path that there is not', {
      map: {
        type: 'object',
        properties: { a: { type: 'string' } },
        'x-kubernetes-validations': [{ rule: 'true', fieldPath: '.b' }],
      },
    }),
    badSpec('a message expression that is no string', {
      size: {
        type: 'integer',
        maximum: 10,
        'x-kubernetes-validations': [{ rule: 'self > 0', messageExpression: '1' }],
      },
    }),

    remove('removes the definition', widgets),
    get('until the definition is gone', widgets, { until: { status: 404 } }),
    get('the resource is gone with it', objects, { until: { status: 404 } }),
  ],
};
