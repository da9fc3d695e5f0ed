/** EndpointSlices: the addresses behind each Service, and whether they take requests. */
import {
  done,
  type Manager,
  ownerReference,
  type ReconcileContext,
  type Request,
  type Result,
  requeueAfter,
} from '@capstan/controller';
import {
  deepEqual,
  type EndpointSlice,
  endpointSlices,
  isNotFound,
  nodes,
  type Pod,
  pods,
  type Service,
  services,
  validateDns1123Subdomain,
} from '@capstan/kube';
import type { BuiltinController } from '../builtin-controller.ts';
import { isNamespaceTerminating } from '../namespace/terminating.ts';
import { declarePodsByNode, podsOnNode } from '../pods-by-node.ts';
import { Gathering } from './gathering.ts';
import {
  addressOf,
  addressTypeOf,
  changesEndpoints,
  endpointOf,
  hasSelector,
  isHeadless,
  portsOf,
  selectsPod,
  zoneOf,
} from './pod-endpoints.ts';
import { type EndpointGroup, planSlices, portsKey } from './slices.ts';

const SERVICE_NAME = 'kubernetes.io/service-name';
const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
const MANAGER = 'endpointslice-controller.k8s.io';
export const HEADLESS = 'service.kubernetes.io/headless';

export const endpointSliceController: BuiltinController = {
  name: 'endpointslice',
  setup(manager: Manager): void {
    const { cache } = manager;
    declarePodsByNode(cache);
    const gathering = new Gathering();
    manager.controller({
      name: 'endpointslice',
      for: services,
      workers: 5,
      watches: [
        { kind: pods, when: changesEndpoints, map: pod => servicesOf(manager, pod) },
        { kind: endpointSlices, map: sliceOwner },
        {
          kind: nodes,
          when: change => change.type !== 'updated' || zoneOf(change.previous) !== zoneOf(change.object),
          map: ({ metadata }) => podsOnNode(cache, metadata.name).flatMap(pod => servicesOf(manager, pod)),
        },
      ],
      reconcile: (request, context) => reconcile(request, context, gathering),
    });
  },
};

/** The Services that select a Pod. */
export function servicesOf({ cache }: Manager, pod: Pod): { namespace: string; name: string }[] {
  const { namespace = '' } = pod.metadata;
  return cache
    .of(services)
    .now.list({ namespace })
    .filter(service => selectsPod(service, pod))
    .map(({ metadata }) => ({ namespace, name: metadata.name }));
}

function sliceOwner({ metadata }: EndpointSlice): { namespace: string; name: string }[] {
  const name = metadata.labels?.[SERVICE_NAME];
  if (name === undefined || metadata.labels?.[MANAGED_BY] !== MANAGER) return [];
  return [{ namespace: metadata.namespace ?? '', name }];
}

async function reconcile(request: Request, context: ReconcileContext, gathering: Gathering): Promise<Result> {
  const { namespace, name } = request;
  const { cache, client, now } = context;
  const key = `${namespace}/${name}`;
  const pause = gathering.pause(key, now);
  if (pause > 0) return requeueAfter(pause);
  const service = await cache.get(services, { namespace, name });
  // The slices of a Service that is gone are the garbage collector's.
  if (service === undefined || service.metadata.deletionTimestamp !== undefined) return done();
  if (!hasSelector(service.spec)) return done();

  const addressType = addressTypeOf(service);
  const labels = { [SERVICE_NAME]: name, [MANAGED_BY]: MANAGER };
  const found = await cache.list(endpointSlices, { namespace, labels });
  const live = found.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const selected = await cache.list(pods, { namespace, labels: service.spec.selector });
  gathering.looked(key, now, selected.length);
  const groups = groupsOf(service, selected, node => cache.of(nodes).now.get({ name: node }));

  const plan = planSlices(
    live.filter(slice => slice.addressType === addressType),
    groups,
  );
  const metadata = sliceMetadata(service);
  const relabelled = live.filter(slice => !deepEqual(slice.metadata.labels, metadata.labels));
  const changed = new Map([...relabelled, ...plan.update].map(slice => [slice.metadata.name, slice]));
  const removed = [...plan.remove, ...live.filter(slice => slice.addressType !== addressType)];
  for (const slice of removed) changed.delete(slice.metadata.name);
  try {
    for (const slice of changed.values()) {
      await client.update(endpointSlices, { ...slice, metadata: { ...slice.metadata, labels: metadata.labels } });
    }
    for (const { ports, endpoints } of plan.create) {
      await client.create(endpointSlices, { metadata, addressType, ports, endpoints });
    }
  } catch (error) {
    if (isNamespaceTerminating(error)) return done();
    throw error;
  }
  for (const slice of removed) await removeSlice(slice, client);
  return done();
}

async function removeSlice({ metadata }: EndpointSlice, client: ReconcileContext['client']): Promise<void> {
  const { namespace, name, uid, resourceVersion } = metadata;
  try {
    await client.delete(endpointSlices, { namespace, name }, { preconditions: { uid, resourceVersion } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Pods may have the ports of one Service at different numbers: each set of ports has slices of its own. */
function groupsOf(
  service: Service,
  selected: readonly Pod[],
  nodeOf: (name: string) => Parameters<typeof endpointOf>[3],
): EndpointGroup[] {
  const groups = new Map<string, { ports: EndpointGroup['ports']; endpoints: EndpointGroup['endpoints'][number][] }>();
  const type = addressTypeOf(service);
  const byName = [...selected].sort((left, right) => (left.metadata.name < right.metadata.name ? -1 : 1));
  for (const pod of byName) {
    const address = addressOf(pod, type);
    if (address === undefined) continue;
    const node = nodeOf(pod.spec.nodeName ?? '');
    // What is said to run on a node that is not there does not run.
    if (node === undefined && service.spec?.publishNotReadyAddresses !== true) continue;
    const ports = portsOf(pod, service);
    const key = portsKey(ports);
    const group = groups.get(key) ?? { ports, endpoints: [] };
    group.endpoints.push(endpointOf(pod, address, service, node));
    groups.set(key, group);
  }
  return [...groups.values()];
}

function sliceMetadata(service: Service) {
  const { namespace, name } = service.metadata;
  const prefix = `${name}-`;
  return {
    namespace,
    generateName: validateDns1123Subdomain(`${prefix}x`).length === 0 ? prefix : name,
    labels: {
      ...withoutReserved(service.metadata.labels),
      ...(isHeadless(service) && { [HEADLESS]: '' }),
      [SERVICE_NAME]: name,
      [MANAGED_BY]: MANAGER,
    },
    ownerReferences: [ownerReference(service)],
  };
}

const RESERVED: ReadonlySet<string> = new Set([SERVICE_NAME, MANAGED_BY, HEADLESS]);

const withoutReserved = (labels: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(labels).filter(([key]) => !RESERVED.has(key)));
