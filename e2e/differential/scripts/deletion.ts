import { get, mergePatch, post, remove, removeWith, type Script, watch } from '../script.ts';
import { configMap, deployment, pod } from './objects.ts';
import { configmaps, deployments, pods, services } from './paths.ts';

const options = (fields: object) => ({ apiVersion: 'v1', kind: 'DeleteOptions', ...fields });
const held = (name: string) => configMap(name, {}, { finalizers: ['example.org/hold'] });
const onNode = (name: string, rest: object = {}) => pod(name, { nodeName: 'node-1', ...rest });

export const deletion: Script = {
  name: 'deletion',
  about: 'deletion: finalizers, grace, preconditions, propagation, collections',
  steps: [
    post('creates one without finalizers', configmaps, configMap('plain'), {
      capture: { uid: 'metadata.uid', version: 'metadata.resourceVersion' },
    }),
    removeWith('with the uid of another', `${configmaps}/plain`, options({ preconditions: { uid: 'other' } })),
    removeWith('with another version', `${configmaps}/plain`, options({ preconditions: { resourceVersion: '1' } })),
    removeWith('in a dry run', `${configmaps}/plain`, options({ dryRun: ['All'] })),
    remove('in a dry run by query', `${configmaps}/plain`, { query: { dryRun: 'All' } }),
    removeWith('with an unknown propagation', `${configmaps}/plain`, options({ propagationPolicy: 'Sideways' })),
    removeWith(
      'with both ways to orphan',
      `${configmaps}/plain`,
      options({ propagationPolicy: 'Orphan', orphanDependents: true }),
    ),
    removeWith('with an unknown dry run', `${configmaps}/plain`, options({ dryRun: ['Some'] })),
    removeWith('with a body of another kind', `${configmaps}/plain`, configMap('plain')),
    removeWith('with a body that is no JSON', `${configmaps}/plain`, '{'),
    removeWith(
      'with the right uid and version',
      `${configmaps}/plain`,
      options({ preconditions: { uid: '$uid', resourceVersion: '$version' } }),
    ),
    get('which is gone', `${configmaps}/plain`),

    post('creates another without finalizers', configmaps, configMap('other')),
    removeWith('with a negative grace', `${configmaps}/other`, options({ gracePeriodSeconds: -5 })),

    post('creates one with a finalizer', configmaps, held('held'), {
      capture: { heldVersion: 'metadata.resourceVersion' },
    }),
    remove('which is only marked', `${configmaps}/held`),
    remove('which stays the same when removed again', `${configmaps}/held`),
    mergePatch('which can still be changed', `${configmaps}/held`, { data: { a: '1' } }),
    mergePatch('which takes no new finalizer', `${configmaps}/held`, {
      metadata: { finalizers: ['example.org/hold', 'example.org/late'] },
    }),
    mergePatch('whose mark cannot be taken away', `${configmaps}/held`, {
      metadata: { deletionTimestamp: null, labels: { a: 'b' } },
    }),
    post('whose name is not free yet', configmaps, configMap('held')),
    mergePatch('which goes with its last finalizer', `${configmaps}/held`, { metadata: { finalizers: null } }),
    get('which is gone with its finalizer', `${configmaps}/held`),
    watch('events of the marked one', configmaps, 4, {
      resourceVersion: '$heldVersion',
      fieldSelector: 'metadata.name=held',
    }),

    post('creates a Deployment for the foreground', deployments, deployment('fore')),
    removeWith('in the foreground', `${deployments}/fore`, options({ propagationPolicy: 'Foreground' })),
    mergePatch('lets it go', `${deployments}/fore`, { metadata: { finalizers: null } }),
    post('creates a Deployment to orphan from', deployments, deployment('orphan')),
    remove('orphaning by query', `${deployments}/orphan`, { query: { propagationPolicy: 'Orphan' } }),
    get('waits for the collector', `${deployments}/orphan`),
    removeWith('then in the background', `${deployments}/orphan`, options({ propagationPolicy: 'Background' })),
    post('creates a Deployment with a finalizer', deployments, {
      ...deployment('marked'),
      metadata: { name: 'marked', finalizers: ['example.org/hold'] },
    }),
    remove('counts the generation once', `${deployments}/marked`),
    mergePatch('counts a change of its spec', `${deployments}/marked`, { spec: { replicas: 0 } }),

    post('creates a Pod that no node has', pods, pod('loose')),
    remove('which goes at once', `${pods}/loose`),
    post('creates a Pod on a node', pods, onNode('bound')),
    remove('which has 30 seconds', `${pods}/bound`),
    removeWith('which can have less', `${pods}/bound`, options({ gracePeriodSeconds: 10 })),
    removeWith('which cannot have more again', `${pods}/bound`, options({ gracePeriodSeconds: 60 })),
    get('in between', `${pods}/bound`),
    removeWith('which can go at once', `${pods}/bound`, options({ gracePeriodSeconds: 0 })),
    get('which is gone at once', `${pods}/bound`),
    post('creates a Pod with a grace of its own', pods, onNode('patient', { terminationGracePeriodSeconds: 5 })),
    remove('which takes its own grace', `${pods}/patient`),
    remove('with grace by query', `${pods}/patient`, { query: { gracePeriodSeconds: '1' } }),
    post('creates a Pod with a finalizer', pods, {
      ...pod('sticky'),
      metadata: { name: 'sticky', finalizers: ['example.org/hold'] },
    }),
    removeWith('which stays for its finalizer', `${pods}/sticky`, options({ gracePeriodSeconds: 0 })),

    post('creates a Service', services, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: { ports: [{ port: 80 }] },
    }),
    remove('answers the object of a Service', `${services}/s`),

    post('creates red 1', configmaps, configMap('red-1', {}, { labels: { color: 'red' } })),
    post(
      'creates red 2',
      configmaps,
      configMap('red-2', {}, { labels: { color: 'red' }, finalizers: ['example.org/hold'] }),
    ),
    post('creates blue 1', configmaps, configMap('blue-1', {}, { labels: { color: 'blue' } })),
    remove('removes a selection in a dry run', configmaps, { query: { labelSelector: 'color=red', dryRun: 'All' } }),
    remove('removes a selection', configmaps, { query: { labelSelector: 'color=red' } }),
    get('what is left', configmaps, { query: { labelSelector: 'color' } }),
    remove('removes a selection of nothing', configmaps, { query: { labelSelector: 'color=green' } }),
    remove('removes by a selector that is none', configmaps, { query: { labelSelector: '===' } }),
    remove('removes by field', configmaps, { query: { fieldSelector: 'metadata.name=blue-1' } }),
    get('what is left then', configmaps, { query: { labelSelector: 'color' } }),

    remove('removes a Namespace', '/api/v1/namespaces/$ns'),
    post('creates in a Namespace that ends', configmaps, configMap('late')),
    get('the Namespace that ends', '/api/v1/namespaces/$ns'),
  ],
};
