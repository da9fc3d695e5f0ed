/** Changes of a cluster without pause, and what it said yes to. */
import {
  ApiError,
  type Client,
  configMaps,
  deployments,
  jobs,
  type NewObject,
  type Pod,
  type PodSpec,
  pods,
  type Random,
  statefulSets,
  TransportError,
} from '@capstan/kube';
import { hello } from './hello.ts';

export const namespace = 'default';
const NAMES = ['churn-a', 'churn-b', 'churn-c'];
/** Its Pods come back with the names that they had: there must never be two of one name. */
const SET = 'churn-set';
const MOST_REPLICAS = 4;

/** Without volumes, a Pod has the file system of the machine, and its locks are those of everyone. */
const ON_THE_MACHINE = { automountServiceAccountToken: false, terminationGracePeriodSeconds: 1 };

/** What the server has acknowledged, and has to hold from then on. */
export interface Acknowledged {
  /** ConfigMaps by name, and the last value whose write was answered. */
  readonly notes: Map<string, string>;
  /** Jobs whose creation was answered. */
  readonly jobs: Set<string>;
  /** The replicas of a Deployment that were last answered; missing while the fate of a change is unknown. */
  readonly replicas: Map<string, number>;
}

export const nothingAcknowledged = (): Acknowledged => ({ notes: new Map(), jobs: new Set(), replicas: new Map() });

/**
 * Takes a lock named by its Pod's uid and another by its name, for as long as it runs. Who does not get them, because the same Pod runs
 * already, leaves a file that tells on it.
 */
export function exclusively(locks: string, program: string): Partial<PodSpec['containers'][number]> {
  const lock = (descriptor: number, name: string): string =>
    `exec ${descriptor}>"${locks}/${name}"; flock -n ${descriptor} || : > "${locks}/${name}.twice"`;
  return {
    command: ['/bin/sh', '-c', `${lock(8, '$POD_NAME')}; ${lock(9, '$CAPSTAN_TEST_POD_UID')}; ${program}`],
    env: [{ name: 'CAPSTAN_TEST_POD_UID', valueFrom: { fieldRef: { fieldPath: 'metadata.uid' } } }],
  };
}

export async function createWorkloads(client: Client, locks: string, acknowledged: Acknowledged): Promise<void> {
  const container = exclusively(locks, 'exec sleep 100000');
  const { spec } = hello({ name: SET, replicas: 2, container, ...ON_THE_MACHINE });
  const { selector, template } = spec;
  await client.create(statefulSets, { metadata: { namespace, name: SET }, spec: { replicas: 2, selector, template } });
  for (const name of NAMES) {
    await client.create(deployments, hello({ name, replicas: 2, container, ...ON_THE_MACHINE }));
    acknowledged.replicas.set(name, 2);
  }
}

/** Until the server is gone. */
export async function churn(
  client: Client,
  { random, locks, turn: round }: { readonly random: Random; readonly locks: string; readonly turn: number },
  acknowledged: Acknowledged,
): Promise<void> {
  for (let turn = 0; ; turn++) {
    try {
      await oneChange(client, random, locks, `${round}-${turn}`, acknowledged);
    } catch (error) {
      if (error instanceof TransportError) return;
      // Someone else was faster: the controllers change and delete the same things.
      if (!(error instanceof ApiError && (error.code === 404 || error.code === 409))) throw error;
    }
  }
}

async function oneChange(
  client: Client,
  random: Random,
  locks: string,
  id: string,
  acknowledged: Acknowledged,
): Promise<void> {
  const among = <T>(items: readonly T[]): T | undefined => items[Math.floor(random.next() * items.length)];
  const dice = random.next();
  if (dice < 0.3) {
    const name = among(NAMES)!;
    const replicas = Math.floor(random.next() * (MOST_REPLICAS + 1));
    acknowledged.replicas.delete(name);
    await client.scale(deployments).patch({ namespace, name }, { merge: { spec: { replicas } } }, { retry: 'never' });
    acknowledged.replicas.set(name, replicas);
  } else if (dice < 0.5) {
    const { items } = await client.list(pods, { namespace, labels: { app: among([...NAMES, SET])! }, retry: 'never' });
    const pod = among(items);
    if (pod) await client.delete(pods, { namespace, name: pod.metadata.name }, { retry: 'never' });
  } else if (dice < 0.55) {
    const name = `job-${id}`;
    await client.create(jobs, job(name, locks), { retry: 'never' });
    acknowledged.jobs.add(name);
  } else {
    const name = `note-${id}`;
    await client.create(configMaps, { metadata: { namespace, name }, data: { id } }, { retry: 'never' });
    acknowledged.notes.set(name, id);
  }
}

function job(name: string, locks: string) {
  const container = { name: 'c', image: 'none', ...exclusively(locks, 'sleep 0.2') };
  const spec: NewObject<Pod>['spec'] = {
    restartPolicy: 'OnFailure',
    ...ON_THE_MACHINE,
    containers: [container],
  };
  return { metadata: { namespace, name }, spec: { backoffLimit: 1000, template: { spec } } };
}
