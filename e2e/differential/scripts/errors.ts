import { get, mergePatch, post, put, remove, type Script, type Step } from '../script.ts';
import { configMap, deployment, pod } from './objects.ts';
import { configmaps, deployments, pods } from './paths.ts';

const named = (title: string, metadata: object): Step =>
  post(title, configmaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata }, { query: { dryRun: 'All' } });
const labels = (title: string, values: object): Step => named(title, { name: 'x', labels: values });
const send = (title: string, body: string, contentType = 'application/json', query = {}): Step =>
  post(title, configmaps, body, { contentType, query: { dryRun: 'All', ...query } });

export const metadataErrors: Script = {
  name: 'metadata',
  about: 'names, labels, annotations and other metadata that is refused',
  steps: [
    named('no name', {}),
    named('a name with upper case', { name: 'Name' }),
    named('a name with an underscore', { name: 'a_b' }),
    named('a name that begins with a dash', { name: '-a' }),
    named('a name with dots', { name: 'a.b.c' }),
    named('a name with an empty part', { name: 'a..b' }),
    named('a name with a slash', { name: 'a/b' }),
    named('a name that is a dot', { name: '.' }),
    named('a name of 253 characters', { name: 'n'.repeat(253) }),
    named('a name of 254 characters', { name: 'n'.repeat(254) }),
    named('a name that is a number', { name: 5 }),
    named('a generated name', { generateName: 'made-' }),
    named('a generated name from a long beginning', { generateName: 'm'.repeat(70) }),
    named('both names', { name: 'given', generateName: 'made-' }),
    named('another namespace', { name: 'x', namespace: 'default' }),
    labels('a label', { 'example.org/a-b_c.d': 'V-1_2.3' }),
    labels('a label without a value', { a: '' }),
    labels('a label with a bad key', { 'a b': 'c' }),
    labels('a label with a bad prefix', { 'Example_org/a': 'c' }),
    labels('a label with two slashes', { 'a/b/c': 'd' }),
    labels('a label with a long key', { ['k'.repeat(64)]: 'v' }),
    labels('a label with a bad value', { a: '-b' }),
    labels('a label with a long value', { a: 'v'.repeat(64) }),
    labels('a label that is a number', { a: 1 }),
    labels('a label that is null', { a: null }),
    labels('labels that are a list', ['a']),
    named('an annotation with a bad key', { name: 'x', annotations: { 'a b': 'c' } }),
    named('an annotation with any value', { name: 'x', annotations: { 'Example.org/A': ' any\n {} ' } }),
    named('annotations that are too large', { name: 'x', annotations: { a: 'v'.repeat(262_145) } }),
    named('a bad finalizer', { name: 'x', finalizers: ['a b'] }),
    named('a finalizer without a domain', { name: 'x', finalizers: ['orphan', 'mine'] }),
    named('an owner without anything', { name: 'x', ownerReferences: [{}] }),
    named('an owner that cannot own', {
      name: 'x',
      ownerReferences: [{ apiVersion: 'v1', kind: 'Event', name: 'e', uid: 'u' }],
    }),
    named('two controllers', {
      name: 'x',
      ownerReferences: ['a', 'b'].map(name => ({ apiVersion: 'v1', kind: 'Pod', name, uid: name, controller: true })),
    }),
    named('an owner twice', {
      name: 'x',
      ownerReferences: ['a', 'a'].map(name => ({ apiVersion: 'v1', kind: 'Pod', name, uid: name })),
    }),
    named('a uid of one’s own', { name: 'x', uid: 'mine' }),
    named('a time that is none', { name: 'x', creationTimestamp: 'yesterday' }),
    named('a deletion time of one’s own', { name: 'x', deletionTimestamp: '2020-01-01T00:00:00Z' }),
    named('managedFields with a bad operation', {
      name: 'x',
      managedFields: [{ manager: 'a', operation: 'Invent', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }],
    }),
    named('managedFields of a manager', {
      name: 'x',
      managedFields: [
        {
          manager: 'a',
          operation: 'Apply',
          apiVersion: 'v1',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:data': { 'f:a': {} } },
        },
      ],
    }),
    post('an object of several mistakes', configmaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'A', labels: { a: '-' } },
      data: { 'a b': 'c' },
    }),
    post(
      'generates a name',
      configmaps,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'made-' } },
      { capture: { made: 'metadata.name' } },
    ),
    get('which can be read', `${configmaps}/$made`),
    put('a fieldManager that is too long', `${configmaps}/$made`, configMap('$made'), {
      query: { fieldManager: 'm'.repeat(129) },
    }),
    post('a fieldManager that is not printable', configmaps, configMap('x'), { query: { fieldManager: 'a\u0007' } }),
  ],
};

export const requestErrors: Script = {
  name: 'requests',
  about: 'requests that are refused: paths, methods, media types, bodies, options',
  steps: [
    get('a path that there is not', '/nothing'),
    get('a group that there is not', '/apis/nothing.example.org/v1'),
    get('a version that there is not', '/apis/apps/v9/namespaces/$ns/deployments'),
    get('a resource that there is not', '/api/v1/namespaces/$ns/nothings'),
    get('a namespace that there is not', '/api/v1/namespaces/nowhere'),
    post('an object in a namespace that there is not', '/api/v1/namespaces/nowhere/configmaps', configMap('x')),
    get('an object of the cluster in a namespace', '/api/v1/namespaces/$ns/nodes'),
    post('an object without its namespace', '/api/v1/configmaps', configMap('x')),
    { title: 'a PUT of a list', method: 'PUT', path: configmaps, body: configMap('x') },
    {
      title: 'a PATCH of a list',
      method: 'PATCH',
      path: configmaps,
      body: {},
      contentType: 'application/merge-patch+json',
    },
    post('a POST to an object', `${configmaps}/x`, configMap('x')),
    remove('a collection of namespaces', '/api/v1/namespaces'),

    send('an empty body', ''),
    send('a body that is no JSON', '{"kind":'),
    send('a body that is a list', '[]'),
    send('a body that is a text', '"text"'),
    send('a body that is null', 'null'),
    send('an object without kind and version', '{"metadata":{"name":"x"}}'),
    send('an object without a version', '{"kind":"ConfigMap","metadata":{"name":"x"}}'),
    send('an object of another kind', '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"x"}}'),
    send('an object of an unknown kind', '{"apiVersion":"v1","kind":"Nothing","metadata":{"name":"x"}}'),
    send('an object of an unknown group', '{"apiVersion":"nothing/v1","kind":"ConfigMap","metadata":{"name":"x"}}'),
    send('a list as the object', '{"apiVersion":"v1","kind":"ConfigMapList","items":[]}'),
    send(
      'YAML',
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\ndata:\n  a: "1"\n  b: yes\n',
      'application/yaml',
    ),
    send(
      'YAML with texts only',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {a: "1", b: &x c, d: *x}\n',
      'application/yaml',
    ),
    send('YAML that is broken', 'a: [\n', 'application/yaml'),
    send('an unknown media type', 'x', 'text/plain'),
    send('a media type with a charset', JSON.stringify(configMap('x')), 'application/json; charset=utf-8'),
    get('an answer in an unknown media type', configmaps, { headers: { accept: 'text/html' } }),
    get('an answer in YAML', `${configmaps}/absent`, { headers: { accept: 'application/yaml' } }),
    get('an answer in the first type that is known', configmaps, {
      headers: { accept: 'text/html, application/json' },
    }),
    get('an answer in any type', configmaps, { headers: { accept: '*/*' } }),

    send('an unknown field is warned of', '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"nothing":1}'),
    send(
      'an unknown field, strictly',
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"nothing":1}',
      'application/json',
      { fieldValidation: 'Strict' },
    ),
    send(
      'an unknown field, ignored',
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"nothing":1}',
      'application/json',
      { fieldValidation: 'Ignore' },
    ),
    send(
      'a field twice is warned of',
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"data":{"a":"1","a":"2"}}',
    ),
    send(
      'a field twice, strictly',
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"data":{"a":"1","a":"2"}}',
      'application/json',
      { fieldValidation: 'Strict' },
    ),
    send(
      'a field in another case',
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"Name":"y","name":"x"},"Data":{"a":"1"}}',
    ),
    send(
      'several unknown fields, strictly',
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","a":1},"b":1,"c":{"d":1}}',
      'application/json',
      { fieldValidation: 'Strict' },
    ),
    send(
      'an unknown fieldValidation',
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"}}',
      'application/json',
      { fieldValidation: 'Maybe' },
    ),
    post(
      'unknown fields deep in a Deployment',
      deployments,
      deployment('x', {
        template: {
          metadata: { labels: { app: 'x' } },
          spec: { containers: [{ name: 'a', image: 'a', imagee: 'b' }], oops: 1 },
        },
      }),
      { query: { dryRun: 'All' } },
    ),
    post('an unknown dry run', configmaps, configMap('x'), { query: { dryRun: 'Some' } }),
    post('an empty dry run', configmaps, configMap('x'), { query: { dryRun: '' } }),

    post('a dry run creates', configmaps, configMap('dry', { a: '1' }), { query: { dryRun: 'All' } }),
    get('nothing', `${configmaps}/dry`),
    post('creates for real', configmaps, configMap('wet', { a: '1' })),
    put('a dry run updates', `${configmaps}/wet`, configMap('wet', { a: '2' }), { query: { dryRun: 'All' } }),
    mergePatch('a dry run patches', `${configmaps}/wet`, { data: { a: '3' } }, { query: { dryRun: 'All' } }),
    get('and nothing changes', `${configmaps}/wet`),
    post('a dry run that is refused', configmaps, configMap('wet'), { query: { dryRun: 'All' } }),
    get('pretty', `${configmaps}/wet`, { query: { pretty: 'true' } }),
    get('an unknown query parameter', `${configmaps}/wet`, { query: { nothing: '1' } }),

    post('a number where a text belongs', pods, pod('x', { containers: [{ name: 'a', image: 5 }] })),
    post('a text where a number belongs', deployments, deployment('x', { replicas: 'three' })),
    post('a fraction where an integer belongs', deployments, deployment('x', { replicas: 1.5 })),
    post('an integer that is too large', deployments, deployment('x', { replicas: 3_000_000_000 })),
    post('a text where a boolean belongs', pods, pod('x', { hostNetwork: 'yes' })),
    post('an object where a list belongs', pods, pod('x', { containers: {} })),
    post('a list where an object belongs', pods, pod('x', { nodeSelector: [] })),
    post('a time that is none', '/apis/coordination.k8s.io/v1/namespaces/$ns/leases', {
      metadata: { name: 'x' },
      spec: { renewTime: 'now' },
    }),
    post('base64 that is none', '/api/v1/namespaces/$ns/secrets', { metadata: { name: 'x' }, data: { a: '%%' } }),
    post(
      'a quantity that is none',
      pods,
      pod('x', { containers: [{ name: 'a', image: 'a', resources: { limits: { cpu: 'much' } } }] }),
    ),
  ],
};
