/**
 * Things that a user does, and what the controllers make of them: run once against ours and once against Kubernetes' own, it has to
 * give the same.
 */
import { ownerReference } from '@capstan/controller';
import {
  type Client,
  configMaps,
  type EndpointSlice,
  endpointSlices,
  endpoints,
  events,
  isNotFound,
  type KubeObject,
  namespaces,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  type Resource,
  serviceAccounts,
  services,
} from '@capstan/kube';
import { runPod } from './objects.fixture.ts';

/** Waits until something is as expected. The clock of a test moves meanwhile, or the real one does. */
export type Until = (what: string, condition: () => Promise<boolean>) => Promise<void>;

const namespace = 'script';
const at = (name: string) => ({ namespace, name });

export async function infrastructureScript(client: Client, until: Until): Promise<Record<string, unknown>> {
  await client.create(namespaces, { metadata: { name: namespace } });
  await until('the namespace is furnished', async () => {
    const account = await exists(client, serviceAccounts, at('default'));
    return account && (await exists(client, configMaps, at('kube-root-ca.crt')));
  });
  return {
    furniture: Object.keys((await client.get(configMaps, at('kube-root-ca.crt'))).data ?? {}),
    services: await servicesPart(client, until),
    owners: await ownersPart(client, until),
    volumes: await volumesPart(client, until),
    namespace: await namespacePart(client, until),
  };
}

async function exists(client: Client, kind: Resource, place: { namespace?: string; name: string }): Promise<boolean> {
  try {
    await client.get(kind, place);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

async function servicesPart(client: Client, until: Until): Promise<unknown> {
  await client.create(nodes, { metadata: { name: 'n1' } });
  const labels = { app: 'web' };
  const containers = [{ name: 'c', image: 'i', ports: [{ name: 'http', containerPort: 8080 }] }];
  await client.create(services, {
    metadata: { ...at('web'), labels: { team: 'a' } },
    spec: {
      selector: labels,
      ports: [
        { name: 'web', port: 80, targetPort: 'http' },
        { name: 'raw', port: 9000 },
      ],
    },
  });
  await client.create(services, {
    metadata: at('headless'),
    spec: { selector: labels, clusterIP: 'None', publishNotReadyAddresses: true },
  });
  await runPod(client, { name: 'a', namespace, ip: '10.0.0.1', labels, spec: { containers } });
  await runPod(client, { name: 'b', namespace, ip: '10.0.0.2', labels, ready: false, spec: { containers } });
  const of = async (name: string): Promise<readonly EndpointSlice[]> =>
    (await client.list(endpointSlices, { namespace, labels: `kubernetes.io/service-name=${name}` })).items;
  const count = async (name: string): Promise<number> =>
    (await of(name)).flatMap(slice => slice.endpoints ?? []).length;
  await until(
    'both Services have both Pods',
    async () => (await count('web')) === 2 && (await count('headless')) === 2,
  );
  await until('Endpoints have them, too', async () => {
    const found = await Promise.all(['web', 'headless'].map(name => exists(client, endpoints, at(name))));
    if (found.includes(false)) return false;
    const { subsets } = await client.get(endpoints, at('web'));
    return subsets?.[0]?.addresses?.length === 1 && subsets[0].notReadyAddresses?.length === 1;
  });
  const slices = [...(await of('web')), ...(await of('headless'))];
  return {
    slices: slices.map(({ metadata, addressType, endpoints, ports }) => ({
      prefix: metadata.generateName,
      labels: metadata.labels,
      owners: metadata.ownerReferences?.map(({ uid: _, ...owner }) => owner),
      addressType,
      endpoints: [...endpoints]
        .sort((left, right) => (left.addresses[0]! < right.addresses[0]! ? -1 : 1))
        .map(anonymous),
      ports: sorted(ports ?? []),
    })),
    endpoints: await Promise.all(
      ['web', 'headless'].map(async name => {
        const { metadata, subsets } = await client.get(endpoints, at(name));
        const plain = subsets?.map(subset => ({ ...subset, ports: sorted(subset.ports ?? []) }));
        return { labels: metadata.labels, subsets: anonymous(plain ?? []) };
      }),
    ),
  };
}

/** Without the identities that each cluster gives anew. */
function anonymous<T>(value: T): T {
  return JSON.parse(JSON.stringify(value, (key, each) => (key === 'uid' ? undefined : each)));
}

/** Without the times at which each cluster did it. */
function timeless<T>(value: T): T {
  return JSON.parse(JSON.stringify(value, (key, each) => (/Time$/.test(key) ? undefined : each)));
}

const sorted = <T>(items: readonly T[]): T[] =>
  [...items].sort((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));

async function ownersPart(client: Client, until: Until): Promise<unknown> {
  const results: Record<string, unknown> = {};
  for (const propagation of ['Background', 'Foreground', 'Orphan'] as const) {
    const prefix = propagation.toLowerCase();
    const make = (name: string, ...owners: KubeObject[]): Promise<KubeObject> =>
      client.create(configMaps, {
        metadata: {
          ...at(`${prefix}-${name}`),
          ownerReferences: owners.map(each => ownerReference(each, { controller: false })),
        },
      });
    const owner = await make('owner');
    const other = await make('other');
    const child = await make('child', owner);
    await make('grandchild', child);
    await make('shared', owner, other);
    const left = async (): Promise<string[][]> =>
      (await client.list(configMaps, { namespace })).items
        .filter(({ metadata }) => metadata.name.startsWith(prefix))
        .map(({ metadata }) => [metadata.name, ...(metadata.ownerReferences ?? []).map(({ name }) => name)]);
    await client.delete(configMaps, at(`${prefix}-owner`), { propagation });
    const expected = propagation === 'Orphan' ? 4 : 2;
    await until(`${propagation} deletion is through`, async () => {
      const found = await left();
      return found.length === expected && !found.some(line => line.includes(`${prefix}-owner`));
    });
    results[propagation] = await left();
  }
  const stranger = await client.create(configMaps, { metadata: { namespace: 'default', name: 'stranger' } });
  const ownerReferences = [ownerReference(stranger)];
  await client.create(configMaps, { metadata: { ...at('misled'), ownerReferences } });
  await until('an owner elsewhere is no owner', async () => !(await exists(client, configMaps, at('misled'))));
  const reported = async () =>
    (await client.list(events, { namespace })).items
      .filter(({ reason }) => reason === 'OwnerRefInvalidNamespace')
      .map(({ type, message = '', source }) => [type, message.replace(/uid: [-0-9a-f]+/, 'uid: …'), source?.component]);
  await until('that is told', async () => (await reported()).length > 0);
  return { ...results, reported: await reported() };
}

async function volumesPart(client: Client, until: Until): Promise<unknown> {
  for (const [name, storage] of [
    ['script-small', '1Gi'],
    ['script-right', '10Gi'],
    ['script-large', '20Gi'],
  ] as const) {
    await client.create(persistentVolumes, {
      metadata: { name },
      spec: {
        capacity: { storage },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: '/nowhere' },
        storageClassName: 'script',
      },
    });
  }
  await client.create(persistentVolumeClaims, {
    metadata: at('claim'),
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '5Gi' } }, storageClassName: 'script' },
  });
  const phases = async (): Promise<unknown[]> =>
    (await client.list(persistentVolumes)).items
      .filter(({ metadata }) => metadata.name.startsWith('script-'))
      .map(({ metadata, spec, status }) => [metadata.name, status?.phase, spec?.claimRef?.name ?? '']);
  await until('the claim is bound', async () => {
    const { status } = await client.get(persistentVolumeClaims, at('claim'));
    return (
      status?.phase === 'Bound' &&
      status.conditions !== undefined &&
      JSON.stringify(await phases()).includes('Available')
    );
  });
  const claim = await client.get(persistentVolumeClaims, at('claim'));
  const volume = await client.get(persistentVolumes, { name: 'script-right' });
  const bound = {
    annotations: claim.metadata.annotations,
    finalizers: claim.metadata.finalizers,
    volumeName: claim.spec?.volumeName,
    status: timeless(claim.status),
    volume: [volume.metadata.annotations, volume.metadata.finalizers, volume.status?.phase],
    phases: await phases(),
  };
  await client.delete(persistentVolumeClaims, at('claim'));
  await until('the volume is released', async () => JSON.stringify(await phases()).includes('Released'));
  return { bound, after: await phases() };
}

async function namespacePart(client: Client, until: Until): Promise<unknown> {
  const name = 'script-doomed';
  await client.create(namespaces, { metadata: { name } });
  const finalizers = ['example.io/held'];
  await client.create(configMaps, { metadata: { namespace: name, name: 'held', finalizers } });
  await client.delete(namespaces, { name });
  const conditions = async () => (await client.get(namespaces, { name })).status?.conditions ?? [];
  await until('the namespace says what holds it', async () =>
    (await conditions()).some(({ type, status }) => type === 'NamespaceFinalizersRemaining' && status === 'True'),
  );
  const seen = (await conditions()).map(({ type, status, reason, message }) => [type, status, reason, message]);
  await client.patch(configMaps, { namespace: name, name: 'held' }, { merge: { metadata: { finalizers: [] } } });
  await until('the namespace is gone', async () => !(await exists(client, namespaces, { name })));
  return seen;
}
