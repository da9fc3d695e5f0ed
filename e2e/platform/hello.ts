import type { Deployment, NewObject, PodSpec } from '@capstan/kube';

export interface HelloOptions {
  readonly name?: string;
  readonly replicas: number;
  readonly strategy?: Deployment['spec']['strategy'];
  /** Of the one container. */
  readonly container?: Partial<PodSpec['containers'][number]>;
  readonly terminationGracePeriodSeconds?: number;
  readonly automountServiceAccountToken?: boolean;
}

/** `kubectl create deployment hello --image=capstan/demo-http`, and more. */
export function hello({ name = 'hello', replicas, strategy, container, ...pod }: HelloOptions): NewObject<Deployment> {
  return {
    metadata: { namespace: 'default', name },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      ...(strategy && { strategy }),
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'demo-http', image: 'capstan/demo-http', ...container }], ...pod },
      },
    },
  };
}
