import { mergePatch, post, put, remove, type Script, watch } from '../script.ts';
import { configMap } from './objects.ts';
import { configmaps } from './paths.ts';

const labelled = (name: string, color: string, data = {}) => configMap(name, data, { labels: { color } });
const start = { capture: { start: 'metadata.resourceVersion' } };

export const watching: Script = {
  name: 'watch',
  about: 'watches: resuming, selectors, expiry',
  steps: [
    post('creates the object from which watches start', configmaps, configMap('start'), start),
    post('creates a red one', configmaps, labelled('one', 'red')),
    put('changes it', `${configmaps}/one`, labelled('one', 'red', { n: '1' })),
    put('changes nothing of it', `${configmaps}/one`, labelled('one', 'red', { n: '1' })),
    put('makes it blue', `${configmaps}/one`, labelled('one', 'blue', { n: '1' })),
    put('changes it while blue', `${configmaps}/one`, labelled('one', 'blue', { n: '2' })),
    put('makes it red again', `${configmaps}/one`, labelled('one', 'red', { n: '3' })),
    post('creates a blue one', configmaps, labelled('two', 'blue')),
    remove('removes the red one', `${configmaps}/one`),
    remove('removes the blue one', `${configmaps}/two`),
    post('creates the last one', configmaps, labelled('last', 'red'), {
      capture: { last: 'metadata.resourceVersion' },
    }),
    watch('sees all that came after a version', configmaps, 9, { resourceVersion: '$start' }),
    watch('sees only what concerns red ones', configmaps, 6, { resourceVersion: '$start', labelSelector: 'color=red' }),
    watch('sees only what concerns blue ones', configmaps, 5, {
      resourceVersion: '$start',
      labelSelector: 'color=blue',
    }),
    watch('sees one by field selector', configmaps, 2, {
      resourceVersion: '$start',
      fieldSelector: 'metadata.name=two',
    }),
    watch('sees one by the path of old', '/api/v1/watch/namespaces/$ns/configmaps/two', 2, {
      resourceVersion: '$start',
    }),
    watch('finds no path of one object that is gone', `${configmaps}/two`, 2, { resourceVersion: '$start' }),
    watch('gets the object itself by its own path', `${configmaps}/last`, 1, { resourceVersion: '$start' }),
    watch('sees objects that are there when no version is given', configmaps, 2),
    watch('sees objects that are there from version 0', configmaps, 2, { resourceVersion: '0' }),
    watch('sees those of a selector that are there', configmaps, 1, {
      resourceVersion: '0',
      labelSelector: 'color=red',
    }),
    watch('is told that a version is too old', configmaps, 1, { resourceVersion: '1' }),
    watch('ends by itself in time', configmaps, 3, { resourceVersion: '$last', timeoutSeconds: '1' }),
    watch('fails on a version that is no number', configmaps, 1, { resourceVersion: 'abc' }),
    watch('refuses a label selector that is none', configmaps, 1, { labelSelector: 'a=b=c' }),
    watch('refuses a field that cannot be selected by', configmaps, 1, { fieldSelector: 'data.a=b' }),
    watch('refuses sendInitialEvents without resourceVersionMatch', configmaps, 1, { sendInitialEvents: 'true' }),
    watch('refuses resourceVersionMatch without sendInitialEvents', configmaps, 1, {
      resourceVersionMatch: 'NotOlderThan',
    }),
    watch('refuses sendInitialEvents with an exact match', configmaps, 1, {
      sendInitialEvents: 'true',
      resourceVersionMatch: 'Exact',
      resourceVersion: '$start',
    }),
    watch('refuses a resource that there is not', '/api/v1/namespaces/$ns/nothings', 1),
    watch('is silent on an empty selection until time is up', configmaps, 1, {
      resourceVersion: '$last',
      labelSelector: 'color=green',
      timeoutSeconds: '1',
    }),
  ],
};

const list = { allowWatchBookmarks: 'true', sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' };

export const watchLists: Script = {
  name: 'watch-list',
  about: 'watches that begin with a list',
  steps: [
    watch('sends only the bookmark where there is nothing', configmaps, 1, list),
    post('creates b', configmaps, labelled('b', 'red')),
    post('creates a', configmaps, labelled('a', 'blue'), { capture: { a: 'metadata.resourceVersion' } }),
    watch('sends what is there and then the bookmark', configmaps, 3, list),
    watch('does the same from version 0', configmaps, 3, { ...list, resourceVersion: '0' }),
    watch('does the same from a version that is reached', configmaps, 3, { ...list, resourceVersion: '$a' }),
    watch('sends what a selector selects and then the bookmark', configmaps, 2, {
      ...list,
      labelSelector: 'color=red',
    }),
    watch('sends one by name and then the bookmark', configmaps, 2, { ...list, fieldSelector: 'metadata.name=a' }),
    watch('sends no bookmark that was not allowed', configmaps, 3, {
      ...list,
      allowWatchBookmarks: 'false',
      timeoutSeconds: '1',
    }),
    mergePatch('changes a', `${configmaps}/a`, { data: { x: '1' } }),
    watch('sends the current state only', configmaps, 3, list),
    watch('begins without a list on demand', configmaps, 1, {
      allowWatchBookmarks: 'true',
      sendInitialEvents: 'false',
      resourceVersionMatch: 'NotOlderThan',
      resourceVersion: '$a',
    }),
    remove('removes b', `${configmaps}/b`),
    watch('does not send what is gone', configmaps, 2, list),
  ],
};
