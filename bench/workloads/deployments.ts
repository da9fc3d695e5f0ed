import { type Client, deployments } from '@capstan/kube';

export interface Wanted {
  readonly deployments: number;
  /** Of each. */
  readonly replicas: number;
  readonly image: string;
}

export async function createPods(client: Client, { deployments: count, replicas, image }: Wanted): Promise<void> {
  for (let n = 0; n < count; n++) {
    const name = `work-${n}`;
    const labels = { app: name };
    await client.create(deployments, {
      metadata: { namespace: 'default', name },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'c', image }] } },
      },
    });
  }
}

/** Until the Deployments say that so many of their Pods are available, all together. */
export async function untilAvailable(client: Client, wanted: number): Promise<void> {
  const available = new Map<string, number>();
  for await (const event of client.watch(deployments, { namespace: 'default' })) {
    if (event.type === 'ERROR') throw new Error(event.object.message);
    if (event.type === 'BOOKMARK') continue;
    available.set(event.object.metadata.name, event.object.status?.availableReplicas ?? 0);
    if ([...available.values()].reduce((sum, each) => sum + each, 0) >= wanted) return;
  }
}
