/** What a new cluster holds before anyone has written anything. */
import { type Clock, type Random, timestamp, uuid } from '@capstan/kube';
import type { Draft } from './kind.ts';
import type { Store } from './store/store.ts';

const NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/** Writes what is missing; a second start changes nothing. */
export async function bootstrap(store: Store, clock: Clock, random: Random): Promise<void> {
  await Promise.all(
    NAMESPACES.filter(name => !store.head('/namespaces', name)).map(name =>
      store.write('/namespaces', name, undefined, namespace(name, clock, random)),
    ),
  );
}

function namespace(name: string, clock: Clock, random: Random): Draft {
  return {
    kind: 'Namespace',
    apiVersion: 'v1',
    metadata: {
      name,
      uid: uuid(random),
      creationTimestamp: timestamp(clock.now()),
      labels: { 'kubernetes.io/metadata.name': name },
    },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  };
}
