/** Small Pods and what is known of them, for tables of rules. */
import type { Container, Pod, PodSpec } from '@capstan/kube';
import { type ContainerFacts, type ContainerState, containersOf, type PodFacts, roleOf } from './container-facts.ts';

export const NOW = Date.UTC(2026, 0, 1);
export const SECOND = 1000;

export interface FactsInput {
  readonly spec?: Partial<PodSpec>;
  readonly metadata?: Partial<Pod['metadata']>;
  readonly status?: Pod['status'];
  /** By container; a container that is not named is new. */
  readonly states?: Readonly<Record<string, ContainerState>>;
  readonly more?: Readonly<Record<string, Partial<ContainerFacts>>>;
  readonly facts?: Partial<PodFacts>;
}

export const container = (name: string, more: Partial<Container> = {}): Container => ({
  name,
  image: 'capstan/pause',
  ...more,
});

export const running = (more: Partial<Extract<ContainerState, { type: 'running' }>> = {}): ContainerState => ({
  type: 'running',
  containerID: 'capstan://1',
  startedAt: NOW - 60 * SECOND,
  started: true,
  ready: true,
  ...more,
});

export const exited = (exitCode: number, finishedAt = NOW): ContainerState => ({
  type: 'exited',
  containerID: 'capstan://1',
  exitCode,
  reason: exitCode === 0 ? 'Completed' : 'Error',
  startedAt: NOW - 60 * SECOND,
  finishedAt,
});

export function podFacts({ spec, metadata, status, states = {}, more = {}, facts }: FactsInput = {}): PodFacts {
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'default', uid: 'u1', generation: 1, ...metadata },
    spec: { containers: [container('app')], restartPolicy: 'Always', terminationGracePeriodSeconds: 30, ...spec },
    ...(status && { status }),
  };
  const containers = containersOf(pod.spec).map(
    (one): ContainerFacts => ({
      spec: one,
      role: roleOf(pod.spec, one),
      state: states[one.name] ?? { type: 'new' },
      restarts: 0,
      ...more[one.name],
    }),
  );
  return { pod, now: NOW, containers, prepared: true, initialized: false, ...facts };
}
