import { get, post, type Script, type Step } from '../script.ts';
import { configMap, pod } from './objects.ts';
import { configmaps, pods, secrets } from './paths.ts';

const labelled = (name: string, labels: Readonly<Record<string, string>>) =>
  post(`creates ${name}`, configmaps, configMap(name, {}, { labels }), {
    capture: { [name.replace('-', '')]: 'metadata.resourceVersion' },
  });
const select = (labelSelector: string): Step =>
  get(`selects ${labelSelector}`, configmaps, { query: { labelSelector } });
const by = (fieldSelector: string, path = configmaps): Step =>
  get(`selects by field ${fieldSelector}`, path, { query: { fieldSelector } });

export const lists: Script = {
  name: 'lists',
  about: 'lists: selectors, pages, versions',
  steps: [
    get('an empty list', configmaps),
    labelled('c-1', { color: 'red', size: '1' }),
    labelled('a-2', { color: 'blue', size: '2' }),
    labelled('b-3', { color: 'red', size: '10' }),
    post('creates one without labels', configmaps, configMap('d-4')),
    get('all, in the order of names', configmaps, { capture: { all: 'metadata.resourceVersion' } }),
    ...[
      'color=red',
      'color==red',
      'color!=red',
      'color',
      '!color',
      'color in (red,blue)',
      'color notin (red)',
      'size>1',
      'size<10',
      'color=red,size>5',
      '',
    ].map(select),
    ...[
      'color in',
      'color in (',
      '=red',
      'color=red,',
      'color>red',
      'co lor=red',
      '-color=red',
      'color=-red',
      `color=${'x'.repeat(64)}`,
      'size>one',
    ].map(select),
    ...[
      'metadata.name=a-2',
      'metadata.name!=a-2',
      'metadata.namespace=$ns',
      'metadata.name=a-2,metadata.namespace=other',
      '',
    ].map(text => by(text)),
    ...['data.x=1', 'metadata.labels.color=red', 'metadata.name', 'metadata.name in (a)', 'metadata.name=a=b'].map(
      text => by(text),
    ),

    get('a first page', configmaps, { query: { limit: '2' }, capture: { page: 'metadata.continue' } }),
    get('the second page', configmaps, { query: { limit: '2', continue: '$page' } }),
    get('the second page with another limit', configmaps, {
      query: { limit: '1', continue: '$page' },
      capture: { third: 'metadata.continue' },
    }),
    get('the last page', configmaps, { query: { limit: '1', continue: '$third' } }),
    get('a page with a selector', configmaps, {
      query: { limit: '1', labelSelector: 'color=red' },
      capture: { red: 'metadata.continue' },
    }),
    get('the next page with the selector', configmaps, {
      query: { limit: '1', labelSelector: 'color=red', continue: '$red' },
    }),
    get('a continue token with a version', configmaps, {
      query: { limit: '1', continue: '$page', resourceVersion: '1' },
    }),
    get('a continue token that is none', configmaps, { query: { continue: 'nonsense' } }),
    get('a limit that is no number', configmaps, { query: { limit: 'many' } }),
    get('a negative limit', configmaps, { query: { limit: '-1' } }),
    get('a limit larger than the list', configmaps, { query: { limit: '100' } }),

    get('at version 0', configmaps, { query: { resourceVersion: '0' } }),
    get('not older than a version', configmaps, { query: { resourceVersion: '$c1' } }),
    get('not older than a version, said so', configmaps, {
      query: { resourceVersion: '$c1', resourceVersionMatch: 'NotOlderThan' },
    }),
    get('exactly at a version', configmaps, { query: { resourceVersion: '$a2', resourceVersionMatch: 'Exact' } }),
    get('exactly at a version, by pages', configmaps, {
      query: { resourceVersion: '$a2', resourceVersionMatch: 'Exact', limit: '1' },
      capture: { exact: 'metadata.continue' },
    }),
    get('the next page of that version', configmaps, { query: { continue: '$exact', limit: '1' } }),
    get('by pages at a version', configmaps, { query: { resourceVersion: '$a2', limit: '1' } }),
    get('exactly at version 0', configmaps, { query: { resourceVersion: '0', resourceVersionMatch: 'Exact' } }),
    get('a match without a version', configmaps, { query: { resourceVersionMatch: 'Exact' } }),
    get('a match that there is not', configmaps, { query: { resourceVersion: '$a2', resourceVersionMatch: 'About' } }),
    get('a version that is no number', configmaps, { query: { resourceVersion: 'abc' } }),
    get('one not older than a version', `${configmaps}/a-2`, { query: { resourceVersion: '$a2' } }),
    get('one at version 0', `${configmaps}/a-2`, { query: { resourceVersion: '0' } }),
    get('of all namespaces, by label', '/api/v1/configmaps', { query: { labelSelector: 'size=10' } }),
    get('of a namespace that there is not', '/api/v1/namespaces/nowhere/configmaps'),
    get('initial events without a watch', configmaps, {
      query: { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' },
    }),

    post('creates a Pod on a node', pods, pod('p-1', { nodeName: 'node-1' }, { labels: { app: 'x' } })),
    post('creates a Pod on no node', pods, pod('p-2', { restartPolicy: 'Never' }, { labels: { app: 'x' } })),
    ...[
      'spec.nodeName=node-1',
      'spec.nodeName=',
      'status.phase=Pending',
      'status.phase!=Pending',
      'spec.restartPolicy=Never',
      'spec.schedulerName=default-scheduler',
      'spec.serviceAccountName=default',
      'status.podIP=',
      'spec.hostNetwork=false',
      'spec.containers=x',
    ].map(text => by(text, pods)),
    post('creates a Secret', secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's' },
      stringData: { a: 'b' },
    }),
    by('type=Opaque', secrets),
    by('type=other', secrets),
    by('involvedObject.name=x', '/api/v1/namespaces/$ns/events'),
    by('spec.replicas=1', '/apis/apps/v1/namespaces/$ns/deployments'),
    by('status.replicas=0', '/apis/apps/v1/namespaces/$ns/replicasets'),
    by('status.successful=0', '/apis/batch/v1/namespaces/$ns/jobs'),
  ],
};
