import { configMaps, namespaces, serviceAccounts } from '@capstan/kube';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bench, startBench } from '../../testing/bench.fixture.ts';
import { namespaceController } from '../namespace/index.ts';
import { rootCaController } from '../root-ca/index.ts';
import { serviceAccountController } from './index.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await startBench([serviceAccountController, rootCaController('PEM'), namespaceController]);
});
afterEach(() => bench.stop());

describe('every namespace', () => {
  it('has a ServiceAccount and the certificate of the authority, whoever deletes or changes them', async () => {
    const { client, advance } = bench;
    await client.create(namespaces, { metadata: { name: 'apps' } });
    await advance();
    expect((await client.list(serviceAccounts)).items.map(({ metadata }) => metadata.namespace)).toContain('apps');
    const place = { namespace: 'apps', name: 'kube-root-ca.crt' };
    expect((await client.get(configMaps, place)).data).toEqual({ 'ca.crt': 'PEM' });
    expect((await client.list(configMaps)).items).toHaveLength(5);

    await client.delete(serviceAccounts, { namespace: 'apps', name: 'default' });
    await client.patch(configMaps, place, { merge: { data: { 'ca.crt': 'other' } } });
    await advance();
    await client.get(serviceAccounts, { namespace: 'apps', name: 'default' });
    expect((await client.get(configMaps, place)).data).toEqual({ 'ca.crt': 'PEM' });
  });

  it('loses them when it goes', async () => {
    const { client, advance } = bench;
    await client.create(namespaces, { metadata: { name: 'apps' } });
    await advance();
    await client.delete(namespaces, { name: 'apps' });
    await advance();
    expect((await client.list(namespaces)).items.map(({ metadata }) => metadata.name)).not.toContain('apps');
    expect((await client.list(serviceAccounts, { namespace: 'apps' })).items).toEqual([]);
  });
});
