import { apply, get, mergePatch, post, put, remove, type Script } from '../script.ts';
import { configMap } from './objects.ts';
import { configmaps } from './paths.ts';

const alice = { manager: 'alice' };
const bob = { manager: 'bob' };
const map = `${configmaps}/map`;
const shared = `${configmaps}/shared`;

export const applyMaps: Script = {
  name: 'apply-maps',
  about: 'server-side apply on maps: owning, sharing, giving up, conflicts, force',
  steps: [
    apply('alice creates by apply', map, alice, configMap('map', { a: '1', b: '1' })),
    apply('alice applies the same again', map, alice, configMap('map', { a: '1', b: '1' })),
    apply('alice gives up b', map, alice, configMap('map', { a: '1' })),
    apply('bob adds c', map, bob, configMap('map', { c: '1' })),
    apply('bob wants another a', map, bob, configMap('map', { a: '2', c: '1' })),
    apply('bob wants another a and a new label', map, bob, configMap('map', { a: '2' }, { labels: { x: 'y' } })),
    apply('bob takes a by force', map, { ...bob, force: true }, configMap('map', { a: '2', c: '1' })),
    apply('alice still wants her a', map, alice, configMap('map', { a: '1' })),
    apply('alice agrees to a', map, alice, configMap('map', { a: '2' })),
    apply('bob gives up a, which alice keeps', map, bob, configMap('map', { c: '1' })),
    apply('alice gives up everything', map, alice, configMap('map')),
    apply('bob gives up everything', map, bob, { apiVersion: 'v1', kind: 'ConfigMap' }),
    get('the object that nobody owns anything of', map),
    apply('alice sets labels and annotations', map, alice, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { labels: { l: '1', m: '1' }, annotations: { n: '1' } },
    }),
    apply('alice drops one label and all annotations', map, alice, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { labels: { l: '1' } },
    }),
    mergePatch(
      'a patch by another changes alice’s label',
      map,
      { metadata: { labels: { l: '2' } } },
      { query: { fieldManager: 'carol' } },
    ),
    apply('alice meets the change', map, alice, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { labels: { l: '1' } },
    }),
    apply(
      'alice takes it back by force',
      map,
      { ...alice, force: true },
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { labels: { l: '1' } },
      },
    ),
    remove('removes it', map),
    post('creates by POST with a manager', configmaps, configMap('shared', { a: '1', b: '1' }), {
      query: { fieldManager: 'maker' },
    }),
    apply('alice applies what is there already', shared, alice, configMap('shared', { a: '1' })),
    apply('alice changes what the maker owns', shared, alice, configMap('shared', { a: '1', b: '2' })),
    apply('two conflicts at once', shared, alice, configMap('shared', { a: '2', b: '2' })),
    put('a PUT by another drops a and adds c', shared, configMap('shared', { b: '1', c: '1' }), {
      query: { fieldManager: 'writer' },
    }),
    apply('alice brings a back', shared, alice, configMap('shared', { a: '1' })),
    put('a PUT by alice’s name but not by apply', shared, configMap('shared', { a: '3' }), {
      query: { fieldManager: 'alice' },
    }),
    put('a PUT that clears managedFields', shared, configMap('shared', { a: '3' }, { managedFields: [{}] }), {
      query: { fieldManager: 'cleaner' },
    }),
    apply('alice applies after managedFields were cleared', shared, alice, configMap('shared', { a: '4' })),
    apply(
      'with the resourceVersion of nothing',
      `${configmaps}/absent`,
      alice,
      configMap('absent', {}, { resourceVersion: '1' }),
    ),
    apply('with a stale resourceVersion', shared, alice, configMap('shared', { a: '3' }, { resourceVersion: '1' })),
    apply('with the uid of another', shared, alice, configMap('shared', { a: '3' }, { uid: 'other' })),
  ],
};
