/**
 * What a node knows of a container: the input of every decision. Times are milliseconds since the epoch.
 */
import type { Container, Pod, PodSpec } from '@capstan/kube';
import type { RestartBackoff } from './restart-backoff.ts';

/**
 * - `init`: runs to its end before the next one begins
 * - `sidecar`: an init container with `restartPolicy: Always`; the next one begins once it has started, and it outlives the others
 * - `app`: what the Pod is for
 */
export type ContainerRole = 'init' | 'sidecar' | 'app';

/** How an instance of a container ended. */
export interface Termination {
  readonly containerID: string;
  readonly exitCode: number;
  readonly reason: 'Completed' | 'Error' | 'StartError' | 'ContainerStatusUnknown';
  readonly message?: string;
  readonly startedAt: number;
  readonly finishedAt: number;
}

/** Why an instance could not even be made. */
export type BlockedReason = 'ErrImagePull' | 'InvalidImageName' | 'CreateContainerConfigError' | 'CreateContainerError';

export type ContainerState =
  /** No instance of it was ever started by this Pod, or none since the node lost the one before. */
  | { readonly type: 'new' }
  /** It could not be started; tried again at `retryAt`. */
  | Blocked
  /** Being started: there may be a process, which is not known to run yet. `was`: what kept it from starting until now. */
  | { readonly type: 'starting'; readonly was?: Blocked }
  | {
      readonly type: 'running';
      readonly containerID: string;
      readonly startedAt: number;
      /** Its postStart hook is over and its startup probe has succeeded. */
      readonly started: boolean;
      /** What its readiness probe says; with none, as `started`. */
      readonly ready: boolean;
      /** It has to be ended although the Pod goes on: a probe or a hook failed. */
      readonly doomed?: Doom;
    }
  | ({ readonly type: 'exited' } & Termination);

export interface Blocked {
  readonly type: 'blocked';
  readonly reason: BlockedReason;
  readonly message: string;
  readonly since: number;
  readonly retryAt: number;
}

export interface Doom {
  /** For the Killing Event, after the container's name: `failed liveness probe, will be restarted`. */
  readonly message: string;
  readonly graceSeconds: number;
}

export interface ContainerFacts {
  readonly spec: Container;
  readonly role: ContainerRole;
  readonly state: ContainerState;
  /** How the instance before this one ended. */
  readonly last?: Termination;
  readonly restarts: number;
  readonly backoff?: RestartBackoff;
}

export interface PodFacts {
  readonly pod: Pod;
  readonly now: number;
  /** Init containers first, as the Pod lists them. */
  readonly containers: readonly ContainerFacts[];
  /** The Pod's address and volumes are there. */
  readonly prepared: boolean;
  /** All init containers are over or, sidecars, have started. Stays true once it was. */
  readonly initialized: boolean;
  /** When the Pod began to be ended; containers that are not told when by a deletion count from here. */
  readonly endingSince?: number;
}

export function roleOf(spec: PodSpec, container: Container): ContainerRole {
  if (!spec.initContainers?.includes(container)) return 'app';
  return container.restartPolicy === 'Always' ? 'sidecar' : 'init';
}

/** All containers that a node runs, in the order in which they begin. */
export function containersOf(spec: PodSpec): readonly Container[] {
  return [...(spec.initContainers ?? []), ...spec.containers];
}
