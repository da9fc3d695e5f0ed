/** What a new cluster holds before anyone has written anything. */
import { type Clock, type Random, timestamp, uuid } from '@capstan/kube';
import type { Draft } from './kind.ts';
import type { Store } from './store/store.ts';

const NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/** Where the API itself is found inside a cluster: the first address of the range for Services. */
const API_ADDRESS = '10.96.0.1';
const API_SERVICE = 'default/kubernetes';

/** Writes what is missing; a second start changes nothing. */
export async function bootstrap(store: Store, clock: Clock, random: Random): Promise<void> {
  await Promise.all(
    NAMESPACES.filter(name => !store.head('/namespaces', name)).map(name =>
      store.write('/namespaces', name, undefined, namespace(name, clock, random)),
    ),
  );
  if (store.head('/services', API_SERVICE)) return;
  // In data of an older version the address may be someone else's, and stays it.
  for (const { object } of store.heads('/services')) if (object['spec']?.clusterIP === API_ADDRESS) return;
  await store.write('/services', API_SERVICE, undefined, apiService(clock, random));
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

function apiService(clock: Clock, random: Random): Draft {
  return {
    kind: 'Service',
    apiVersion: 'v1',
    metadata: {
      name: 'kubernetes',
      namespace: 'default',
      uid: uuid(random),
      creationTimestamp: timestamp(clock.now()),
      labels: { component: 'apiserver', provider: 'kubernetes' },
    },
    spec: {
      ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: 6443 }],
      clusterIP: API_ADDRESS,
      clusterIPs: [API_ADDRESS],
      type: 'ClusterIP',
      sessionAffinity: 'None',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      internalTrafficPolicy: 'Cluster',
    },
    status: { loadBalancer: {} },
  };
}
