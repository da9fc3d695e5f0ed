/** Endpoints, for `kubectl get endpoints` and for clients older than EndpointSlices. */
import {
  done,
  type Manager,
  type ReconcileContext,
  type Request,
  type Result,
  requeueAfter,
} from '@capstan/controller';
import {
  deepEqual,
  type EndpointSubset,
  type Endpoints,
  endpoints,
  isNotFound,
  pods,
  type Service,
  services,
} from '@capstan/kube';
import type { BuiltinController } from '../builtin-controller.ts';
import { isNamespaceTerminating } from '../namespace/terminating.ts';
import { Gathering } from './gathering.ts';
import { HEADLESS, servicesOf } from './index.ts';
import { changesEndpoints, hasSelector, isHeadless } from './pod-endpoints.ts';
import { subsetsOf, truncated } from './subsets.ts';

const MANAGED_BY = 'endpoints.kubernetes.io/managed-by';
const MANAGER = 'endpoint-controller';
const OVER_CAPACITY = 'endpoints.kubernetes.io/over-capacity';

export const endpointsController: BuiltinController = {
  name: 'endpoints',
  setup(manager: Manager): void {
    const gathering = new Gathering();
    manager.controller({
      name: 'endpoints',
      for: services,
      workers: 5,
      watches: [
        { kind: pods, when: changesEndpoints, map: pod => servicesOf(manager, pod) },
        { kind: endpoints, map: ({ metadata }) => [metadata] },
      ],
      reconcile: (request, context) => reconcile(request, context, gathering),
    });
  },
};

async function reconcile(request: Request, context: ReconcileContext, gathering: Gathering): Promise<Result> {
  const { namespace, name } = request;
  const { cache, client, now } = context;
  const key = `${namespace}/${name}`;
  const pause = gathering.pause(key, now);
  if (pause > 0) return requeueAfter(pause);
  const service = await cache.get(services, { namespace, name });
  const existing = await cache.get(endpoints, { namespace, name });
  if (service === undefined) {
    return existing === undefined ? done() : removeLeftOver(existing, context);
  }
  if (!hasSelector(service.spec) || service.metadata.deletionTimestamp !== undefined) return done();

  const selected = await cache.list(pods, { namespace, labels: service.spec.selector });
  gathering.looked(key, now, selected.length);
  const all = subsetsOf(service, selected);
  const cut = truncated(all);
  const wanted = wantedEndpoints(service, cut ?? all, cut !== undefined, existing);
  if (existing !== undefined && isSame(existing, wanted)) return done();
  try {
    if (existing === undefined) await client.create(endpoints, wanted);
    else await client.update(endpoints, wanted);
  } catch (error) {
    if (!isNamespaceTerminating(error)) throw error;
  }
  return done();
}

/** Endpoints that someone made without a Service are theirs. */
async function removeLeftOver({ metadata }: Endpoints, { client }: ReconcileContext): Promise<Result> {
  if (metadata.labels?.[MANAGED_BY] !== MANAGER) return done();
  const { namespace, name, uid, resourceVersion } = metadata;
  try {
    await client.delete(endpoints, { namespace, name }, { preconditions: { uid, resourceVersion } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return done();
}

function wantedEndpoints(
  service: Service,
  subsets: readonly EndpointSubset[],
  isTruncated: boolean,
  existing: Endpoints | undefined,
): Endpoints {
  const { namespace, name, labels } = service.metadata;
  const { [OVER_CAPACITY]: _, ...others } = existing?.metadata.annotations ?? {};
  const annotations = isTruncated ? { ...others, [OVER_CAPACITY]: 'truncated' } : others;
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: {
      ...(existing?.metadata ?? { name, ...(namespace !== undefined && { namespace }) }),
      labels: { ...labels, ...(isHeadless(service) && { [HEADLESS]: '' }), [MANAGED_BY]: MANAGER },
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
    subsets,
  };
}

const isSame = (left: Endpoints, right: Endpoints): boolean =>
  deepEqual(left.subsets ?? [], right.subsets ?? []) &&
  deepEqual(left.metadata.labels, right.metadata.labels) &&
  deepEqual(left.metadata.annotations ?? {}, right.metadata.annotations ?? {});
