import {
  configMaps,
  createClient,
  leases,
  loadKubeconfig,
  type Transport,
  transportFromKubeconfig,
} from '@capstan/kube';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { neededPeers, type RealApiServer, startRealApiServer } from '../../../../e2e/real/apiserver.ts';
import { requirePeers } from '../../../../e2e/real/require-peers.ts';
import { findPeer } from '../../../../scripts/peers/find.ts';
import { customResource } from '../crd/custom-resource.ts';
import { ensureCrds } from '../crd/ensure-crds.ts';
import { addGreeter, greetings } from '../guide/greeter.fixture.ts';
import { silentLog } from '../log/log.ts';
import { createManager, type Manager } from './manager.ts';

/** Everything that a schema may hold. */
const everything = customResource({
  group: 'example.io',
  version: 'v1',
  kind: 'Everything',
  plural: 'everythings',
  shortNames: ['evy'],
  categories: ['all'],
  schema: z.object({
    spec: z
      .object({
        replicas: z.int32().min(0).default(1),
        big: z.int().optional(),
        share: z.number().min(0).max(1).optional(),
        port: z.union([z.int(), z.string()]).default(80),
        mode: z.enum(['Sequential', 'Parallel']).default('Sequential'),
        mail: z.email().optional(),
        at: z.iso.datetime().optional(),
        labels: z.record(z.string(), z.string()).optional(),
        suspend: z.boolean().nullable().optional(),
        manifest: z.looseObject({}).meta({ 'x-kubernetes-embedded-resource': true }).optional(),
        config: z.unknown().optional(),
        tag: z.union([z.literal('latest'), z.string().startsWith('v')]).optional(),
        steps: z
          .array(z.object({ name: z.string().min(1).max(63), timeoutSeconds: z.int32().default(600) }))
          .max(100)
          .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] })
          .optional(),
        check: z
          .discriminatedUnion('type', [
            z.object({ type: z.literal('Exec'), command: z.array(z.string()) }),
            z.object({ type: z.literal('Http'), url: z.url() }),
          ])
          .optional(),
        policy: z.object({ attempts: z.int32().default(3) }).prefault({}),
      })
      .meta({ 'x-kubernetes-validations': [{ rule: 'self.replicas <= 5', message: 'at most five' }] }),
    status: z.object({ replicas: z.int32().optional(), selector: z.string().optional() }).optional(),
  }),
  subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
  rules: [{ rule: "self.metadata.name != 'forbidden'", message: 'not this name' }],
  selectableFields: ['.spec.mode'],
});

describe('on a real kube-apiserver', () => {
  let server: RealApiServer | undefined;
  let transport: Transport;

  beforeAll(async () => {
    if (neededPeers({}).some(name => findPeer(name) === undefined)) return;
    server = await startRealApiServer();
    transport = await transportFromKubeconfig(await loadKubeconfig({ path: server.kubeconfig }));
  });
  afterAll(async () => {
    await transport?.close();
    await server?.stop();
  });

  const client = () => createClient({ transport });
  const newManager = (identity?: string): Manager =>
    createManager({
      transport,
      log: silentLog,
      ...(identity !== undefined && { leaderElection: { name: 'greeter', namespace: 'default', identity } }),
    });

  it('what customResource() gives is accepted, and means what it says', async context => {
    requirePeers(context, neededPeers({}));
    await ensureCrds([everything], { client: client() });
    const metadata = { namespace: 'default', name: 'a' };
    const check = { type: 'Exec' as const, command: ['true'] };
    const spec = { replicas: 1, port: 80, mode: 'Sequential' as const, policy: { attempts: 3 } };
    const created = await client().create(everything, { metadata, spec: { check } as never });
    expect(created.spec).toEqual({ ...spec, check });
    expect(everything.problems(created)).toEqual([]);
    const refused = (changes: object) => expect(client().patch(everything, metadata, { merge: changes })).rejects;
    await refused({ spec: { replicas: 6 } }).toThrow('at most five');
    await refused({ spec: { check: { type: 'Http' } } }).toThrow('"spec.check" must validate one and only one schema');
    await refused({ spec: { tag: 'x' } }).toThrow('spec.tag');
    await refused({ spec: { mail: 'nobody' } }).toThrow('spec.mail');
    await expect(client().create(everything, { metadata: { ...metadata, name: 'forbidden' }, spec })).rejects.toThrow(
      'not this name',
    );
  });

  it('a CRD that it refuses is one clear error that names it', async context => {
    requirePeers(context, neededPeers({}));
    const { definition } = everything;
    const wrong = { ...everything, definition: { ...definition, metadata: { name: 'wrong.example.io' } } };
    await expect(ensureCrds([wrong], { client: client() })).rejects.toThrow(
      /^the API server refuses wrong\.example\.io: /,
    );
  });

  it('the controller of the guide works, two of them take turns, and a restart of the server is survived', async context => {
    requirePeers(context, neededPeers({}));
    await ensureCrds([greetings], { client: client() });
    const [first, second] = [newManager('first'), newManager('second')];
    for (const manager of [first, second]) addGreeter(manager);
    await first.start();
    await second.start();
    const metadata = { namespace: 'default', name: 'world' };
    await client().create(greetings, { metadata, spec: { name: 'World', times: 1 } });
    const text = async () => (await client().get(greetings, metadata)).status?.text;
    await vi.waitFor(async () => expect(await text()).toBe('Hello, World!'), { timeout: 20_000, interval: 200 });
    const holder = async () =>
      (await client().get(leases, { namespace: 'default', name: 'greeter' })).spec?.holderIdentity;
    const leader = await holder();
    await (leader === 'first' ? first : second).stop();
    await vi.waitFor(async () => expect(await holder()).toBe(leader === 'first' ? 'second' : 'first'), {
      timeout: 20_000,
      interval: 200,
    });
    await server!.restart('SIGKILL');
    await client().delete(configMaps, metadata);
    await vi.waitFor(
      async () => expect((await client().get(configMaps, metadata)).data).toEqual({ text: 'Hello, World!' }),
      { timeout: 40_000, interval: 200 },
    );
    await Promise.all([first.stop(), second.stop()]);
  });
});
