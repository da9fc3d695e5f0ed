/** The examples of `docs/kube.md`, as they stand there. The last test makes sure of that. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiServer, createApiServer } from '@capstan/apiserver';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ApiError,
  addQuantities,
  type Client,
  type Clock,
  computeStatus,
  configMaps,
  connect,
  createAuthority,
  createClient,
  createDiscovery,
  type Deployment,
  draft,
  formatQuantity,
  isNotFound,
  type KubeObject,
  parseJsonPath,
  parseKubeconfig,
  parseLabelSelector,
  pods,
  resource,
  systemClock,
  transportFromKubeconfig,
} from './index.ts';

const kubeconfig = `
current-context: a
contexts: [{name: a, context: {cluster: a, user: a}}]
clusters: [{name: a, cluster: {server: "https://127.0.0.1:1"}}]
users: [{name: a, user: {token: t}}]
`;

describe('the manual', () => {
  let embedded: ApiServer;
  let embeddedClient: Client;
  beforeEach(async () => {
    embedded = await createApiServer();
    embeddedClient = createClient({ transport: embedded.transport() });
  });
  afterEach(() => embedded.close());
  const folder = mkdtempSync(join(tmpdir(), 'capstan-manual-'));
  afterAll(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });

  it('connects by kubeconfig', async () => {
    writeFileSync(join(folder, 'config'), kubeconfig);
    vi.stubEnv('KUBECONFIG', join(folder, 'config'));
    const { transport, namespace, description } = await connect();
    const client = createClient({ transport, userAgent: 'my-tool/1.0' });
    expect(client.transport).toBe(transport);
    expect([namespace, description]).toEqual(['default', 'context "a" (https://127.0.0.1:1)']);
    await transport.close();
  });

  it('connects to an embedded API server', async () => {
    const server = await createApiServer();
    const client = createClient({ transport: server.transport() });
    expect((await client.list(configMaps)).kind).toBe('ConfigMapList');
    await server.close();
  });

  it('reads', async () => {
    const client = embeddedClient;
    await client.create(configMaps, { metadata: { namespace: 'default', name: 'settings' } });
    const names: string[] = [];
    const settings = await client.get(configMaps, { namespace: 'default', name: 'settings' });
    const running = await client.list(pods, { labels: { app: 'web' }, fields: 'status.phase=Running' });
    for await (const page of client.pages(configMaps, { limit: 500 }))
      names.push(...page.items.map(item => item.metadata.name));
    expect(settings.metadata.name).toBe('settings');
    expect(running.items).toEqual([]);
    expect(names).toContain('settings');
  });

  it('writes', async () => {
    const client = embeddedClient;
    const made = await client.create(configMaps, {
      metadata: { namespace: 'default', generateName: 'note-' },
      data: { a: '1' },
    });

    const edited = draft(made);
    edited.data = { ...edited.data, b: '2' };
    const updated = await client.update(configMaps, edited);

    await client.patch(
      configMaps,
      { namespace: 'default', name: updated.metadata.name },
      { merge: { data: { a: null } } },
    );
    expect((await client.get(configMaps, { namespace: 'default', name: made.metadata.name })).data).toEqual({ b: '2' });

    await client.apply(
      configMaps,
      { metadata: { namespace: 'default', name: 'settings' }, data: { colour: 'blue' } },
      { owner: 'painter', force: true },
    );
    expect((await client.get(configMaps, { namespace: 'default', name: 'settings' })).data).toEqual({ colour: 'blue' });

    await client.delete(
      configMaps,
      { namespace: 'default', name: updated.metadata.name },
      { preconditions: { uid: made.metadata.uid } },
    );
    const rest = await client.list(configMaps, {
      namespace: 'default',
      fields: { 'metadata.name': made.metadata.name },
    });
    expect(rest.items).toEqual([]);
  });

  it('watches', async () => {
    const client = embeddedClient;
    const seen: string[] = [];
    const writer = async (): Promise<void> => {
      await client.create(configMaps, { metadata: { namespace: 'default', name: 'x' } });
      await client.delete(configMaps, { namespace: 'default', name: 'x' });
    };
    const before = await client.list(configMaps, { namespace: 'default' });
    expect(before.metadata.resourceVersion).toBeDefined();
    const reading = (async () => {
      const list = await client.list(configMaps, { namespace: 'default' });
      for await (const event of client.watch(configMaps, {
        namespace: 'default',
        from: list.metadata.resourceVersion,
      })) {
        switch (event.type) {
          case 'ADDED':
          case 'MODIFIED':
          case 'DELETED':
            seen.push(`${event.type} ${event.object.metadata.name}`);
            break;
          case 'BOOKMARK': // nothing changed; resume from this version
            break;
          case 'ERROR': // an expired version: list anew
            throw new ApiError(event.object);
        }
        if (seen.length === 2) break;
      }
    })();
    await vi.waitFor(async () => {
      await writer();
      expect(seen.length).toBeGreaterThanOrEqual(2);
    });
    await reading;
    expect(seen.map(each => each.split(' ')[1])).toEqual(['x', 'x']);
  });

  it('knows kinds of one’s own, and finds those of the server', async () => {
    interface Robot extends KubeObject {
      readonly spec: { readonly model: string };
      readonly status?: { readonly battery?: number };
    }
    const robots = resource<Robot>({
      group: 'example.com',
      version: 'v1',
      kind: 'Robot',
      plural: 'robots',
      namespaced: true,
    });
    await expect(embeddedClient.list(robots)).rejects.toSatisfy(isNotFound);
    const client = embeddedClient;
    const found = await createDiscovery(client).forWord('cm');
    expect(found?.kind).toBe('ConfigMap');
  });

  it('fails in the words of the server', async () => {
    const client = embeddedClient;
    const problems: string[] = [];
    try {
      await client.get(configMaps, { namespace: 'default', name: 'nobody' });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      problems.push(error.message); // configmaps "nobody" not found
    }
    expect(problems).toEqual(['configmaps "nobody" not found']);
  });

  it('takes a kubeconfig from someone', async () => {
    const textFromSomeone = kubeconfig;
    const config = await parseKubeconfig(textFromSomeone);
    const transport = await transportFromKubeconfig(config, { untrusted: true });
    await transport.close();
  });

  it('speaks the small languages', async () => {
    const list = { items: [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }] };
    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' }, spec: {} } as Deployment;
    const clock: Clock = systemClock;
    const said = [
      parseLabelSelector('app in (web,api),!legacy').matches({ app: 'web' }), // true
      formatQuantity(addQuantities('1.5Gi', '512Mi')), // '2Gi'
      parseJsonPath('{range .items[*]}{.metadata.name}{"\\n"}{end}').print(list),
      computeStatus(deployment, clock.now()).status, // 'Current', 'InProgress', 'Failed' or 'Terminating'
    ];
    expect(said).toEqual([true, '2Gi', 'a\nb\n', 'InProgress']);
  });

  it('issues certificates', () => {
    const authority = createAuthority({ commonName: 'my-ca' });
    const { certificate, key } = authority.issue({
      commonName: 'server',
      dnsNames: ['localhost'],
      ipAddresses: ['127.0.0.1'],
    });
    expect(certificate).toContain('BEGIN CERTIFICATE');
    expect(key).toContain('BEGIN PRIVATE KEY');
  });

  it('shows no code that is not run here', () => {
    const squeezed = (text: string): string => text.replace(/[\s,;]/g, '');
    const here = squeezed(readFileSync(new URL(import.meta.url), 'utf8'));
    const page = readFileSync(new URL('../../../docs/kube.md', import.meta.url), 'utf8');
    const blocks = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code!);
    expect(blocks.length).toBeGreaterThan(10);
    for (const code of blocks) {
      for (const paragraph of code.split('\n\n')) expect(here, code).toContain(squeezed(paragraph));
    }
  });
});
