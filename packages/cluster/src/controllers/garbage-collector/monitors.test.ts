import { createApiServer } from '@capstan/apiserver';
import { configMaps, type DiscoveredResource, metadataOnly, secrets, type Transport } from '@capstan/kube';
import { SteppedClock, seededRandom } from '@capstan/lab';
import { describe, expect, it } from 'vitest';
import { collectableKinds, Monitors } from './monitors.ts';

describe('the watched kinds', () => {
  const kind = (plural: string, group: string, version: string, verbs = ['delete', 'list', 'watch']) =>
    ({ plural, group, version, kind: plural, namespaced: true, verbs }) as unknown as DiscoveredResource;

  it('are those that can be listed, watched and deleted, each in one version, without Events', () => {
    const found = collectableKinds([
      kind('pods', '', 'v1'),
      kind('events', '', 'v1'),
      kind('events', 'events.k8s.io', 'v1'),
      kind('tokenreviews', 'authentication.k8s.io', 'v1', ['create']),
      kind('autoscalers', 'autoscaling', 'v2'),
      kind('autoscalers', 'autoscaling', 'v1'),
    ]);
    expect(Array.from(found, ([key, { version }]) => `${key} ${version}`)).toEqual([
      'pods. v1',
      'autoscalers.autoscaling v2',
    ]);
  });

  it('do not wait for ever for one that cannot be listed', async () => {
    const clock = new SteppedClock();
    const random = seededRandom(1);
    const inner = (await createApiServer({ clock, random })).transport();
    const never = new Promise<never>(() => {});
    const transport: Transport = {
      ...inner,
      request: request => (request.path.includes('secrets') ? never : inner.request(request)),
      watch: request => (request.path.includes('secrets') ? never : inner.watch(request)),
    };
    const monitors = new Monitors({ transport, clock, random, onChange: () => {}, onGone: () => {} });
    const kinds = new Map([
      ['configmaps.', metadataOnly(configMaps)],
      ['secrets.', metadataOnly(secrets)],
    ]);
    let ready = false;
    void monitors.watch(kinds, new AbortController().signal).then(() => {
      ready = true;
    });
    await clock.advance(29_000);
    expect(ready).toBe(false);
    await clock.advance(2_000);
    expect(ready).toBe(true);
  });
});
