/** What the Pods of a node share: the machine, the cluster, and how to reach both. All of it is handed in. */
import type { Log, Recorder } from '@capstan/controller';
import type { Client, Clock, Pod, Random, Service } from '@capstan/kube';
import type { ImageCatalogue } from '../images/catalogue.ts';
import type { Surroundings } from './environment/downward.ts';
import type { Sources } from './environment/environment.ts';
import type { ApiAddress } from './environment/service-links.ts';
import type { ContainerRuntime } from './host/container-runtime.ts';
import type { PodLogs } from './logs/pod-logs.ts';
import type { RunAction } from './probes/run-action.ts';
import type { PreparedVolumes } from './volumes/pod-volumes.ts';

export interface PodContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly client: Client;
  readonly recorder: Recorder;
  readonly log: Log;
  readonly runtime: ContainerRuntime;
  readonly runAction: RunAction;
  readonly catalogue: ImageCatalogue;
  readonly hostIP: string;
  readonly allocatable: Surroundings['allocatable'];
  /** Where Pods reach the API server; undefined where they cannot. */
  readonly server: ApiAddress | undefined;
  /** Whether containers can have a root of their own here. */
  readonly privateRoots: Promise<boolean>;
  services(namespace: string): readonly Service[];
  sources(namespace: string): Sources;
  /** Changes when something does that the volumes or the environment of the Pod are made of. */
  fingerprint(pod: Pod): string;
  /** Rejects with a `MountFailed`. */
  volumes(pod: Pod, surroundings: Surroundings): Promise<PreparedVolumes>;
  logs(pod: Pod): PodLogs;
  /** The Pod's own folder on disk. */
  folder(pod: Pod): string;
  /** The Pod is gone from this node: its folder and address are free. */
  release(pod: Pod): Promise<void>;
}
