import { apply, get, jsonPatch, mergePatch, post, put, remove, type Script, strategicPatch, watch } from '../script.ts';
import { anything, crd } from './objects.ts';
import { crds } from './paths.ts';

const group = 'objects.example.org';
const definition = crd(group, 'Robot', {
  subresources: {
    status: {},
    scale: {
      specReplicasPath: '.spec.arms',
      statusReplicasPath: '.status.arms',
      labelSelectorPath: '.status.selector',
    },
  },
  selectableFields: [{ jsonPath: '.spec.color' }],
  additionalPrinterColumns: [
    { name: 'Color', type: 'string', jsonPath: '.spec.color' },
    { name: 'Arms', type: 'integer', jsonPath: '.spec.arms', description: 'How many.' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'Tags', type: 'string', jsonPath: '.spec.tags[*]', priority: 1 },
  ],
  schema: {
    openAPIV3Schema: {
      type: 'object',
      required: ['spec'],
      properties: {
        spec: {
          type: 'object',
          required: ['color'],
          properties: {
            color: { type: 'string', enum: ['red', 'blue'], default: 'red' },
            arms: { type: 'integer', format: 'int32', minimum: 0, maximum: 8, default: 2 },
            weight: { type: 'number', exclusiveMinimum: true, minimum: 0, multipleOf: 0.5 },
            name: { type: 'string', minLength: 2, maxLength: 5, pattern: '^[a-z]+$' },
            on: { type: 'boolean' },
            born: { type: 'string', format: 'date-time' },
            port: { 'x-kubernetes-int-or-string': true },
            note: { type: 'string', nullable: true, default: 'none' },
            owner: { type: 'string', nullable: true },
            tags: { type: 'array', maxItems: 3, 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
            parts: {
              type: 'array',
              'x-kubernetes-list-type': 'map',
              'x-kubernetes-list-map-keys': ['id'],
              items: {
                type: 'object',
                required: ['id'],
                properties: { id: { type: 'string' }, size: { type: 'integer', default: 1 }, unit: { type: 'string' } },
              },
            },
            route: { type: 'array', items: { type: 'integer' } },
            place: {
              type: 'object',
              'x-kubernetes-map-type': 'atomic',
              properties: { x: { type: 'integer' }, y: { type: 'integer' } },
            },
            limits: { type: 'object', maxProperties: 2, additionalProperties: { type: 'integer' } },
            free: anything,
            embedded: {
              type: 'object',
              'x-kubernetes-embedded-resource': true,
              'x-kubernetes-preserve-unknown-fields': true,
            },
            choice: {
              type: 'object',
              properties: { a: { type: 'string' }, b: { type: 'string' } },
              oneOf: [{ required: ['a'] }, { required: ['b'] }],
            },
            inner: { type: 'object', default: {}, properties: { deep: { type: 'string', default: 'sea' } } },
          },
        },
        status: {
          type: 'object',
          properties: {
            arms: { type: 'integer' },
            selector: { type: 'string' },
            phase: { type: 'string', default: 'New' },
          },
        },
      },
    },
  },
});
const robots = `/apis/${group}/v1/namespaces/$ns/robots`;
const robot = (name: string, spec: object, rest: object = {}) => ({
  apiVersion: `${group}/v1`,
  kind: 'Robot',
  metadata: { name },
  spec,
  ...rest,
});
const table = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' };
const tryout = (title: string, spec: object) =>
  post(title, robots, robot('tryout', spec), { query: { dryRun: 'All' } });
const alice = { manager: 'alice' };
const bob = { manager: 'bob' };

export const crdObjects: Script = {
  name: 'crd-objects',
  about: 'custom resources: defaults, pruning, validation, patches, subresources, apply, tables',
  steps: [
    post('defines robots', crds, definition),
    get('until robots are served', robots, { until: { status: 200 } }),
    post('an empty spec is filled by defaults', robots, robot('empty', {}), {
      capture: { first: 'metadata.resourceVersion' },
    }),
    post('no spec', robots, { apiVersion: `${group}/v1`, kind: 'Robot', metadata: { name: 'nothing' } }),
    tryout('unknown fields are pruned', { nothing: 1, inner: { nothing: 1 }, free: { kept: { deep: [1] } } }),
    post('unknown fields are refused when strict', robots, robot('strict', { nothing: 1, inner: { nothing: 1 } }), {
      query: { fieldValidation: 'Strict' },
    }),
    post('unknown fields are warned of', robots, robot('warned', { nothing: 1 }), {
      query: { fieldValidation: 'Warn', dryRun: 'All' },
    }),
    post('unknown fields are ignored', robots, robot('ignored', { nothing: 1 }), {
      query: { fieldValidation: 'Ignore', dryRun: 'All' },
    }),
    post(
      'a field twice, when strict',
      robots,
      `{"apiVersion":"${group}/v1","kind":"Robot","metadata":{"name":"twice"},"spec":{"color":"red","color":"blue"}}`,
      { query: { fieldValidation: 'Strict' } },
    ),
    post(
      'a field twice',
      robots,
      `{"apiVersion":"${group}/v1","kind":"Robot","metadata":{"name":"twice"},"spec":{"color":"red","color":"blue"}}`,
      { query: { dryRun: 'All' } },
    ),
    tryout('a null takes the default', { note: null, arms: null, owner: null }),
    tryout('values of the wrong type', { arms: 'two', on: 'yes', tags: 'a', limits: [], color: 7 }),
    tryout('numbers out of range', { arms: 9, weight: 0 }),
    tryout('a number that is no multiple', { weight: 0.7 }),
    tryout('a number that is no integer', { arms: 1.5 }),
    tryout('an integer too large for its format', { arms: 3_000_000_000 }),
    tryout('a color that there is not', { color: 'green' }),
    tryout('a name too short', { name: 'a' }),
    tryout('a name too long and out of pattern', { name: 'ABCDEFG' }),
    tryout('a time that is none', { born: 'yesterday' }),
    tryout('a port as number', { port: 80 }),
    tryout('a port as text', { port: 'http' }),
    tryout('a port that is neither', { port: true }),
    tryout('too many tags', { tags: ['a', 'b', 'c', 'd'] }),
    tryout('a tag twice', { tags: ['a', 'a'] }),
    tryout('parts with defaults', { parts: [{ id: 'a' }, { id: 'b', size: 5 }] }),
    tryout('a part twice', { parts: [{ id: 'a' }, { id: 'a' }] }),
    tryout('a part without its key', { parts: [{ size: 1 }] }),
    tryout('too many limits', { limits: { a: 1, b: 2, c: 3 } }),
    tryout('a limit of the wrong type', { limits: { a: 'x' } }),
    tryout('both choices', { choice: { a: '1', b: '2' } }),
    tryout('no choice', { choice: {} }),
    tryout('an embedded object', {
      embedded: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', nothing: 1 }, data: { a: 'b' } },
    }),
    tryout('an embedded object without a kind', { embedded: { apiVersion: 'v1' } }),
    post('another kind', robots, { ...robot('other', {}), kind: 'Robots' }),
    post('another version', robots, { ...robot('other', {}), apiVersion: `${group}/v2` }),
    post('no kind and no version', robots, { metadata: { name: 'other' }, spec: {} }),
    post('YAML', robots, `apiVersion: ${group}/v1\nkind: Robot\nmetadata:\n  name: yaml\nspec:\n  on: true\n`, {
      contentType: 'application/yaml',
    }),

    put('a PUT without a version', `${robots}/empty`, robot('empty', { arms: 3 })),
    put('a PUT with a stale version', `${robots}/empty`, {
      ...robot('empty', { arms: 3 }),
      metadata: { name: 'empty', resourceVersion: '1' },
    }),
    put('a PUT with the version', `${robots}/empty`, {
      ...robot('empty', { arms: 3 }),
      metadata: { name: 'empty', resourceVersion: '$first' },
    }),
    mergePatch('a merge patch', `${robots}/empty`, { spec: { tags: ['x', 'y'], note: null } }),
    mergePatch('a merge patch that changes nothing', `${robots}/empty`, { spec: { tags: ['x', 'y'] } }),
    mergePatch('a merge patch with an unknown field', `${robots}/empty`, { spec: { nothing: 1 } }),
    mergePatch('a merge patch that is not valid', `${robots}/empty`, { spec: { color: 'green' } }),
    jsonPatch('a JSON patch', `${robots}/empty`, [{ op: 'add', path: '/spec/tags/-', value: 'z' }]),
    strategicPatch('a strategic patch', `${robots}/empty`, { spec: { tags: ['w'] } }),
    mergePatch('metadata alone keeps the generation', `${robots}/empty`, { metadata: { labels: { a: 'b' } } }),
    mergePatch('status through the main resource', `${robots}/empty`, { status: { arms: 7 } }),
    mergePatch('status through its own resource', `${robots}/empty/status`, {
      status: { arms: 3, selector: 'a=b' },
      spec: { arms: 1 },
    }),
    mergePatch('metadata through the status', `${robots}/empty/status`, { metadata: { labels: { c: 'd' } } }),
    mergePatch('a status of the wrong type', `${robots}/empty/status`, { status: { arms: 'x' } }),
    get('the scale', `${robots}/empty/scale`),
    mergePatch('scales', `${robots}/empty/scale`, { spec: { replicas: 4 } }),
    put('scales beyond the maximum', `${robots}/empty/scale`, {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'empty' },
      spec: { replicas: 40 },
    }),
    get('the robot then', `${robots}/empty`),

    apply(
      'alice applies a robot',
      `${robots}/ssa`,
      alice,
      robot('ssa', { parts: [{ id: 'a', unit: 'm' }], tags: ['x'], route: [1, 2], place: { x: 1 } }),
    ),
    apply('bob adds a part and a tag', `${robots}/ssa`, bob, robot('ssa', { parts: [{ id: 'b' }], tags: ['y'] })),
    apply('bob changes the part of alice', `${robots}/ssa`, bob, robot('ssa', { parts: [{ id: 'a', unit: 'cm' }] })),
    apply('bob wants another route', `${robots}/ssa`, bob, robot('ssa', { route: [1] })),
    apply('bob wants another place', `${robots}/ssa`, bob, robot('ssa', { place: { y: 1 } })),
    apply(
      'bob takes part, route and place by force',
      `${robots}/ssa`,
      { ...bob, force: true },
      robot('ssa', { parts: [{ id: 'a', unit: 'cm' }], route: [1], place: { y: 1 } }),
    ),
    apply('alice drops everything', `${robots}/ssa`, alice, robot('ssa', {})),
    apply(
      'free fields are owned one by one',
      `${robots}/ssa`,
      alice,
      robot('ssa', { free: { a: { b: 1 }, list: [1, 2] }, limits: { cpu: 1 } }),
    ),
    apply(
      'bob shares the free fields',
      `${robots}/ssa`,
      bob,
      robot('ssa', { free: { a: { c: 1 } }, limits: { memory: 1 } }),
    ),
    apply('bob changes a free list', `${robots}/ssa`, bob, robot('ssa', { free: { list: [3] } })),
    apply('an unknown field', `${robots}/ssa`, alice, robot('ssa', { nothing: 1 })),
    apply('an unknown field, warned of', `${robots}/ssa`, alice, robot('ssa', { nothing: 1 }), {
      query: { fieldValidation: 'Warn' },
    }),
    apply('a value of the wrong type', `${robots}/ssa`, alice, robot('ssa', { arms: 'two' })),
    apply('a part twice by apply', `${robots}/ssa`, alice, robot('ssa', { parts: [{ id: 'a' }, { id: 'a' }] })),
    apply('a status by apply', `${robots}/ssa/status`, alice, {
      apiVersion: `${group}/v1`,
      kind: 'Robot',
      metadata: { name: 'ssa' },
      status: { phase: 'Busy' },
    }),
    apply('the status of what is not there', `${robots}/absent/status`, alice, {
      apiVersion: `${group}/v1`,
      kind: 'Robot',
      metadata: { name: 'absent' },
      status: {},
    }),

    mergePatch('makes one blue', `${robots}/yaml`, { spec: { color: 'blue' } }),
    get('selects by a selectable field', robots, { query: { fieldSelector: 'spec.color=blue' } }),
    get('selects by a field that is not selectable', robots, { query: { fieldSelector: 'spec.arms=2' } }),
    get('selects by name', robots, { query: { fieldSelector: 'metadata.name=yaml' } }),
    get('a table of all', robots, { headers: table }),
    get('a table of one', `${robots}/yaml`, { headers: table }),
    get('a table without objects', robots, { headers: table, query: { includeObject: 'None' } }),
    get('metadata only', `${robots}/yaml`, {
      headers: { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' },
    }),
    get('metadata only, as a list', robots, {
      headers: { accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' },
    }),
    watch('a watch of a selectable field', robots, 1, { resourceVersion: '$first', fieldSelector: 'spec.color=blue' }),
    remove('removes one', `${robots}/yaml`),
    remove('removes all', robots),
    get('an empty table', robots, { headers: table }),
    remove('removes the definition', `${crds}/robots.${group}`),
  ],
};
