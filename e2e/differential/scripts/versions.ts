import { get, mergePatch, post, put, remove, type Script } from '../script.ts';
import { configMap } from './objects.ts';
import { configmaps, deployments } from './paths.ts';

const version = { capture: { first: 'metadata.resourceVersion', uid: 'metadata.uid' } };

export const versions: Script = {
  name: 'versions',
  about: 'versions and optimistic locking',
  steps: [
    post('creates an object', configmaps, configMap('a', { one: '1' }), version),
    post('refuses to create it again', configmaps, configMap('a', { one: '2' })),
    get('reads it', `${configmaps}/a`),
    put('changes it without a version', `${configmaps}/a`, configMap('a', { one: '2' })),
    put('refuses a stale version', `${configmaps}/a`, configMap('a', { one: '3' }, { resourceVersion: '$first' })),
    get('still holds the second state', `${configmaps}/a`, { capture: { second: 'metadata.resourceVersion' } }),
    put('takes the current version', `${configmaps}/a`, configMap('a', { one: '3' }, { resourceVersion: '$second' }), {
      capture: { third: 'metadata.resourceVersion' },
    }),
    put('keeps the version when nothing changes', `${configmaps}/a`, configMap('a', { one: '3' })),
    put(
      'keeps it also when the version is given',
      `${configmaps}/a`,
      configMap('a', { one: '3' }, { resourceVersion: '$third' }),
    ),
    put('refuses another name than that of the path', `${configmaps}/a`, configMap('b')),
    put(
      'refuses another namespace than that of the path',
      `${configmaps}/a`,
      configMap('a', {}, { namespace: 'other' }),
    ),
    put('refuses another uid', `${configmaps}/a`, configMap('a', {}, { uid: '11111111-2222-3333-4444-555555555555' })),
    put('takes the right uid', `${configmaps}/a`, configMap('a', { one: '4' }, { uid: '$uid' })),
    put('finds nothing to update', `${configmaps}/absent`, configMap('absent')),
    put(
      'finds nothing to update with a version',
      `${configmaps}/absent`,
      configMap('absent', {}, { resourceVersion: '5' }),
    ),
    put('refuses an object without a name', `${configmaps}/a`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      data: { one: '5' },
    }),
    put('fails on a version that is no number', `${configmaps}/a`, configMap('a', {}, { resourceVersion: 'abc' })),
    post('fails to create with a version', configmaps, configMap('b', {}, { resourceVersion: '1' })),
    mergePatch('refuses a patch of a stale version', `${configmaps}/a`, {
      metadata: { resourceVersion: '$first' },
      data: { x: 'y' },
    }),
    mergePatch('takes a patch without a version', `${configmaps}/a`, { data: { x: 'y' } }),
    mergePatch('keeps the version for a patch that changes nothing', `${configmaps}/a`, { data: { x: 'y' } }),
    mergePatch('finds nothing to patch', `${configmaps}/absent`, { data: { x: 'y' } }),
    get('finds nothing', `${configmaps}/absent`),
    get('finds no Deployment of that name', `${deployments}/absent`),
    remove('removes it', `${configmaps}/a`),
    remove('finds nothing to remove', `${configmaps}/a`),
    post('creates it anew with another uid', configmaps, configMap('a')),
    put(
      'ignores a change of the server-set fields',
      `${configmaps}/a`,
      configMap('a', {}, { generation: 7, creationTimestamp: '2001-01-01T00:00:00Z', selfLink: '/x' }),
    ),
  ],
};
