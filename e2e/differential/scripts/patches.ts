import { get, jsonPatch, mergePatch, post, type Script, type Step, strategicPatch } from '../script.ts';
import { configMap, deployment } from './objects.ts';
import { configmaps, deployments, services } from './paths.ts';

const map = `${configmaps}/map`;
const web = `${deployments}/web`;
const raw = (title: string, contentType: string, body: unknown): Step => ({
  title,
  method: 'PATCH',
  path: map,
  contentType,
  body,
});
const template = (spec: object) => ({ spec: { template: { spec } } });

export const patches: Script = {
  name: 'patches',
  about: 'JSON, merge and strategic patches',
  steps: [
    post('creates a ConfigMap', configmaps, configMap('map', { a: '1' }, { annotations: { 'example.org/c': '2' } })),
    jsonPatch('adds a key', map, [{ op: 'add', path: '/data/new', value: 'x' }]),
    jsonPatch('replaces a key with a slash', map, [
      { op: 'replace', path: '/metadata/annotations/example.org~1c', value: 'y' },
    ]),
    jsonPatch('adds a key with a tilde', map, [{ op: 'add', path: '/data/d~0e', value: 'z' }]),
    jsonPatch('removes a key', map, [{ op: 'remove', path: '/data/new' }]),
    jsonPatch('removes a key that is not there', map, [{ op: 'remove', path: '/data/none' }]),
    jsonPatch('replaces a key that is not there', map, [{ op: 'replace', path: '/data/none', value: '1' }]),
    jsonPatch('adds below what is not there', map, [{ op: 'add', path: '/binaryData/x', value: 'eA==' }]),
    jsonPatch('tests and changes', map, [
      { op: 'test', path: '/data/a', value: '1' },
      { op: 'replace', path: '/data/a', value: '2' },
    ]),
    jsonPatch('tests in vain', map, [
      { op: 'test', path: '/data/a', value: '1' },
      { op: 'replace', path: '/data/a', value: '3' },
    ]),
    jsonPatch('copies and moves', map, [
      { op: 'copy', from: '/data/a', path: '/data/copied' },
      { op: 'move', from: '/data/a', path: '/data/moved' },
    ]),
    jsonPatch('an operation that there is not', map, [{ op: 'invent', path: '/data/a' }]),
    jsonPatch('a patch that is no list', map, { op: 'remove', path: '/data/a' }),
    jsonPatch('a patch that is no JSON', map, '[{'),
    jsonPatch('an empty patch', map, []),
    jsonPatch('makes a value of the wrong type', map, [{ op: 'add', path: '/data/number', value: 5 }]),
    jsonPatch('changes the name', map, [{ op: 'replace', path: '/metadata/name', value: 'other' }]),
    jsonPatch('changes the kind', map, [{ op: 'replace', path: '/kind', value: 'Secret' }]),
    jsonPatch('adds a field that there is not', map, [{ op: 'add', path: '/nothing', value: 1 }]),
    jsonPatch('adds a field that there is not, strictly', map, [{ op: 'add', path: '/nothing', value: 1 }], {
      query: { fieldValidation: 'Strict' },
    }),

    mergePatch('merges, adding and removing', map, { data: { copied: null, merged: '1' } }),
    mergePatch('removes all data', map, { data: null }),
    mergePatch('an empty merge', map, {}),
    mergePatch('a merge that is a list', map, []),
    mergePatch('a merge that is no JSON', map, '{'),
    mergePatch('a merge of the wrong type', map, { data: 'text' }),
    mergePatch(
      'a merge with an unknown field, strictly',
      map,
      { nothing: 1 },
      { query: { fieldValidation: 'Strict' } },
    ),
    mergePatch('a merge in YAML', map, 'data:\n  a: "1"\n'),
    mergePatch('a merge of a uid', map, { metadata: { uid: 'other' } }),
    mergePatch('a merge of another apiVersion', map, { apiVersion: 'v2' }),
    raw('a patch without a type of its own', 'application/json', { data: {} }),
    raw('a patch as text', 'text/plain', 'data'),

    post('creates a Deployment', deployments, deployment('web')),
    strategicPatch(
      'changes a container by name',
      web,
      template({ containers: [{ name: 'main', image: 'example/main:2' }] }),
    ),
    strategicPatch(
      'adds a container',
      web,
      template({ containers: [{ name: 'side', image: 'example/side:1', env: [{ name: 'A', value: '1' }] }] }),
    ),
    strategicPatch(
      'adds a variable',
      web,
      template({ containers: [{ name: 'side', env: [{ name: 'B', value: '2' }] }] }),
    ),
    strategicPatch(
      'removes a variable',
      web,
      template({ containers: [{ name: 'side', env: [{ name: 'A', $patch: 'delete' }] }] }),
    ),
    strategicPatch(
      'orders containers',
      web,
      template({
        containers: [{ name: 'side' }, { name: 'main' }],
        '$setElementOrder/containers': [{ name: 'side' }, { name: 'main' }],
      }),
    ),
    strategicPatch('removes a container', web, template({ containers: [{ name: 'side', $patch: 'delete' }] })),
    strategicPatch(
      'replaces all containers',
      web,
      template({ containers: [{ $patch: 'replace' }, { name: 'only', image: 'example/only:1' }] }),
    ),
    strategicPatch('replaces the selector of nodes', web, template({ nodeSelector: { a: 'b', c: 'd' } })),
    strategicPatch('removes one key of a map', web, template({ nodeSelector: { a: null } })),
    strategicPatch('replaces a map', web, template({ nodeSelector: { $patch: 'replace', e: 'f' } })),
    strategicPatch('adds a volume', web, template({ volumes: [{ name: 'v', emptyDir: {} }] })),
    strategicPatch(
      'changes the source of a volume',
      web,
      template({
        volumes: [{ name: 'v', $retainKeys: ['name', 'configMap'], configMap: { name: 'map' } }],
      }),
    ),
    strategicPatch(
      'sets tolerations, which have no key',
      web,
      template({ tolerations: [{ key: 'a', operator: 'Exists' }] }),
    ),
    strategicPatch('replaces tolerations', web, template({ tolerations: [{ key: 'b', operator: 'Exists' }] })),
    strategicPatch('changes the strategy', web, { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } }),
    strategicPatch('adds a finalizer', web, { metadata: { finalizers: ['example.org/a'] } }),
    strategicPatch('adds another finalizer', web, { metadata: { finalizers: ['example.org/b'] } }),
    strategicPatch('removes a finalizer', web, {
      metadata: { '$deleteFromPrimitiveList/finalizers': ['example.org/a'] },
    }),
    strategicPatch(
      'a directive that there is not',
      web,
      template({ containers: [{ name: 'only', $patch: 'invent' }] }),
    ),
    strategicPatch('a container without its key', web, template({ containers: [{ image: 'x' }] })),
    strategicPatch('an unknown field', web, { spec: { nothing: 1 } }),
    strategicPatch(
      'an unknown field, strictly',
      web,
      { spec: { nothing: 1 } },
      { query: { fieldValidation: 'Strict' } },
    ),
    strategicPatch('a list as the patch', web, []),
    get('the Deployment in the end', web),

    post('creates a Service', services, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: { ports: [{ name: 'a', port: 80 }] },
    }),
    strategicPatch('adds a port by its number', `${services}/s`, { spec: { ports: [{ name: 'b', port: 81 }] } }),
    strategicPatch('removes a port', `${services}/s`, { spec: { ports: [{ port: 80, $patch: 'delete' }] } }),
    mergePatch('replaces all ports', `${services}/s`, {
      spec: { ports: [{ name: 'c', port: 82, targetPort: 'web' }] },
    }),
  ],
};
