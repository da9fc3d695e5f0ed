/** What a user of the client sees of an API server with Kubernetes' semantics, whichever it is and however it is reached. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDiscovery } from '../discovery/discovery.ts';
import { isAlreadyExists, isConflict, isInvalid, isNotFound } from '../errors.ts';
import { draft } from '../json.ts';
import { type Deployment, deployments } from '../kinds/apps.ts';
import { type ConfigMap, configMaps, namespaces } from '../kinds/core.ts';
import { metadataOnly } from '../resource.ts';
import type { TransportTarget } from '../transport.contract.ts';
import { type Client, createClient } from './client.ts';
import { withoutManagedFields } from './response.ts';

const namespace = 'client-contract';
const labels = { app: 'web' };
const deployment = {
  metadata: { namespace, name: 'web' },
  spec: {
    replicas: 1,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
  },
};

export function clientContract(name: string, makeTarget: () => Promise<TransportTarget>): void {
  describe(`the client, ${name}`, () => {
    let target: TransportTarget;
    let client: Client;
    const warnings: string[] = [];
    beforeAll(async () => {
      target = await makeTarget();
      client = createClient({ transport: target.transport, onWarning: text => warnings.push(text) });
      await client.create(namespaces, { metadata: { name: namespace } });
    });
    afterAll(async () => {
      await target.transport.close();
      await target.stop();
    });
    const make = (id: string, data: Record<string, string> = {}): Promise<ConfigMap> =>
      client.create(configMaps, { metadata: { namespace, name: id, labels: { made: 'yes' } }, data });
    const at = (id: string) => ({ namespace, name: id });

    it('creates, and says when something is there already', async () => {
      const made = await client.create(configMaps, { metadata: { namespace, generateName: 'gen-' } });
      expect(made).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
      expect(made.metadata.name).toMatch(/^gen-\w+$/);
      await make('twice');
      await expect(make('twice')).rejects.toSatisfy(isAlreadyExists);
      await expect(client.get(configMaps, at('nobody'))).rejects.toSatisfy(isNotFound);
    });

    it('stores nothing in a dry run, and refuses unknown fields when strict', async () => {
      await client.create(configMaps, { metadata: { namespace, name: 'dry' } }, { dryRun: true });
      await expect(client.get(configMaps, at('dry'))).rejects.toSatisfy(isNotFound);
      const odd = { metadata: { namespace, name: 'odd' }, dta: {} } as unknown as ConfigMap;
      await expect(client.create(configMaps, odd, { fieldValidation: 'Strict' })).rejects.toMatchObject({ code: 400 });
      await client.create(configMaps, odd, { fieldValidation: 'Warn' });
      expect(warnings).toContain('unknown field "dta"');
    });

    it('updates one version and refuses another', async () => {
      const first = await make('versions', { a: '1' });
      const edited = draft(first);
      edited.data = { a: '2' };
      const second = await client.update(configMaps, edited);
      expect(second.data).toEqual({ a: '2' });
      await expect(client.update(configMaps, edited)).rejects.toSatisfy(isConflict);
    });

    it('patches in three languages', async () => {
      await client.create(deployments, deployment);
      const merged = await client.patch(deployments, at('web'), { merge: { spec: { replicas: 2 } } });
      expect(merged.spec.replicas).toBe(2);
      const containers = [{ name: 'side', image: 'side:1' }];
      const strategic = await client.patch(deployments, at('web'), {
        strategic: { spec: { template: { spec: { containers } } } },
      });
      expect(strategic.spec.template.spec.containers.map(each => each.name).sort()).toEqual(['side', 'web']);
      const json = await client.patch(deployments, at('web'), {
        json: [{ op: 'replace', path: '/spec/replicas', value: 3 }],
      });
      expect(json.spec.replicas).toBe(3);
      await expect(
        client.patch(deployments, at('web'), { json: [{ op: 'test', path: '/spec/replicas', value: 9 }] }),
      ).rejects.toSatisfy(isInvalid);
    });

    it('scales', async () => {
      const scale = await client.scale(deployments).get(at('web'));
      const scaled = await client.scale(deployments).update(at('web'), { ...scale, spec: { replicas: 5 } });
      expect(scaled.spec.replicas).toBe(5);
      expect((await client.get(deployments, at('web'))).spec.replicas).toBe(5);
    });

    it('applies: one owner a field, conflicts told, taken by force', async () => {
      const applied = (colour: string): Parameters<typeof client.apply<ConfigMap>>[1] => ({
        metadata: { namespace, name: 'applied' },
        data: { colour },
      });
      await client.apply(configMaps, applied('blue'), { owner: 'one' });
      const refused = await client.apply(configMaps, applied('red'), { owner: 'two' }).catch((error: unknown) => error);
      expect(refused).toSatisfy(isConflict);
      expect(refused).toMatchObject({ causes: [{ reason: 'FieldManagerConflict', field: '.data.colour' }] });
      expect((await client.apply(configMaps, applied('red'), { owner: 'two', force: true })).data).toEqual({
        colour: 'red',
      });
      const gone = await client.apply(configMaps, { metadata: { namespace, name: 'applied' } }, { owner: 'two' });
      expect(gone.data).toBeUndefined();
    });

    it('guards an apply by the version it was decided on', async () => {
      const seen = await make('guarded', { a: '1' });
      const { resourceVersion } = seen.metadata;
      const guarded = { metadata: { namespace, name: 'guarded', resourceVersion }, data: { b: '1' } };
      await client.apply(configMaps, guarded, { owner: 'guard' });
      await expect(client.apply(configMaps, { ...guarded, data: { b: '2' } }, { owner: 'guard' })).rejects.toSatisfy(
        isConflict,
      );
    });

    it('applies a status, and a status only', async () => {
      const status = { observedGeneration: 1, replicas: 1 };
      const done = await client.applyStatus(deployments, { ...at('web'), status }, { owner: 'status' });
      expect(done.status).toMatchObject(status);
      const changed: Deployment = {
        ...done,
        spec: { ...done.spec, replicas: 9 },
        status: { ...done.status, replicas: 4 },
      };
      const updated = await client.updateStatus(deployments, changed);
      expect(updated.status?.replicas).toBe(4);
      expect(updated.spec.replicas).toBe(5);
    });

    it('lists by selector and by page, of one moment', async () => {
      for (const id of ['p1', 'p2', 'p3', 'p4', 'p5']) {
        await client.create(configMaps, { metadata: { namespace, name: id, labels: { paged: 'yes' } } });
      }
      const sizes: number[] = [];
      for await (const page of client.pages(configMaps, { namespace, labels: { paged: 'yes' }, limit: 2 })) {
        sizes.push(page.items.length);
      }
      expect(sizes).toEqual([2, 2, 1]);
      const all = await client.listAll(configMaps, {
        namespace,
        labels: 'paged in (yes)',
        limit: 2,
        transform: withoutManagedFields,
      });
      expect(all.items.map(item => item.metadata.name)).toEqual(['p1', 'p2', 'p3', 'p4', 'p5']);
      expect(all.items[0]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
      expect(all.items[0]!.metadata.managedFields).toBeUndefined();
      const one = await client.list(configMaps, { namespace, fields: { 'metadata.name': 'p3' } });
      expect(one.items).toHaveLength(1);
    });

    it('reads metadata alone', async () => {
      await make('metadata', { heavy: 'x'.repeat(1000) });
      const light = await client.get(metadataOnly(configMaps), at('metadata'));
      expect(light).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'metadata' } });
      expect(light).not.toHaveProperty('data');
    });

    it('deletes what it means, and what a selector means', async () => {
      const made = await make('deleted');
      const other = client.delete(configMaps, at('deleted'), { preconditions: { uid: 'someone-else' } });
      await expect(other).rejects.toSatisfy(isConflict);
      await client.delete(configMaps, at('deleted'), { preconditions: { uid: made.metadata.uid } });
      await expect(client.get(configMaps, at('deleted'))).rejects.toSatisfy(isNotFound);
      await client.deleteCollection(configMaps, { namespace, labels: { paged: 'yes' } });
      expect((await client.list(configMaps, { namespace, labels: { paged: 'yes' } })).items).toEqual([]);
    });

    it('watches from a version, in order', async () => {
      const { metadata } = await client.list(configMaps, { namespace });
      await make('watched', { a: '1' });
      await client.patch(configMaps, at('watched'), { merge: { data: { a: '2' } } });
      await client.delete(configMaps, at('watched'));
      const seen: string[] = [];
      for await (const event of client.watch(configMaps, {
        namespace,
        name: 'watched',
        from: metadata.resourceVersion,
      })) {
        if (event.type === 'BOOKMARK') continue;
        expect(event.object).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
        seen.push(event.type);
        if (seen.length === 3) break;
      }
      expect(seen).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
    });

    it('streams a list, and tells where it ends', async () => {
      await make('initial');
      const seen: string[] = [];
      for await (const event of client.watch(configMaps, { namespace, name: 'initial', sendInitialEvents: true })) {
        seen.push(event.type);
        if (event.type !== 'BOOKMARK') continue;
        expect(event.object.metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
        break;
      }
      expect(seen).toEqual(['ADDED', 'BOOKMARK']);
    });

    it('discovers', async () => {
      const discovery = createDiscovery(client);
      expect(await discovery.forKind('apps/v1', 'Deployment')).toMatchObject({
        plural: 'deployments',
        namespaced: true,
        subresources: expect.arrayContaining(['scale', 'status']),
      });
      expect(await discovery.forWord('deploy')).toMatchObject({ kind: 'Deployment' });
      expect(await discovery.forWord('no-such-thing')).toBeUndefined();
    });
  });
}
