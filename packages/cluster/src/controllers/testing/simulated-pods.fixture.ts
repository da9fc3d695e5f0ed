/** Stands in for a node: Pods get the status that a test wants for them, and go when they are told to. */
import { done } from '@capstan/controller';
import { isNotFound, type Pod, type PodStatus, pods, timestamp } from '@capstan/kube';
import type { BuiltinController } from '../builtin-controller.ts';

export interface PodLife {
  /** What becomes of a Pod that is there; `undefined` leaves it as it is. Default: it runs and is ready. */
  readonly status?: (pod: Pod, now: number) => PodStatus | undefined;
  /** Whether a Pod that was told to end does so. Default: it does. */
  readonly ends?: (pod: Pod) => boolean;
  /** A node for every Pod: only then are deletions graceful. Default: none. */
  readonly nodeName?: string;
}

export function simulatedPods(life: () => PodLife = () => ({})): BuiltinController {
  return {
    name: 'simulated-pods',
    setup(manager) {
      manager.controller({
        name: 'simulated-pods',
        for: pods,
        async reconcile({ namespace, name }, { client, cache, now }) {
          const { status = running, ends = () => true, nodeName } = life();
          const pod = await cache.get(pods, { namespace, name });
          if (pod === undefined) return done();
          if (pod.metadata.deletionTimestamp !== undefined) {
            const { uid } = pod.metadata;
            if (ends(pod))
              await client.delete(pods, { namespace, name }, { grace: 0, preconditions: { uid } }).catch(ifGone);
            return done();
          }
          if (nodeName !== undefined && pod.spec.nodeName === undefined) {
            const target = { apiVersion: 'v1', kind: 'Node', name: nodeName };
            const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace }, target };
            await client.subresource(pods, 'binding').create({ namespace, name }, binding);
          }
          const wanted = status(pod, now);
          if (wanted === undefined || (wanted.phase === pod.status?.phase && isReady(wanted) === isReady(pod.status)))
            return done();
          await client
            .patch(pods, { namespace, name }, { merge: { status: wanted } }, { subresource: 'status' })
            .catch(ifGone);
          return done();
        },
      });
    },
  };
}

/** Runs, and is ready since it began to. */
export function running(_: Pod, now: number, ready = true): PodStatus {
  const status = ready ? 'True' : 'False';
  return { phase: 'Running', conditions: [{ type: 'Ready', status, lastTransitionTime: timestamp(now) }] };
}

/** Runs, and never becomes ready. */
export const notReady = (pod: Pod, now: number): PodStatus => running(pod, now, false);

const isReady = (status: PodStatus | undefined): boolean =>
  status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;

function ifGone(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
