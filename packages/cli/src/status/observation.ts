/** What was seen of a cluster at one moment: everything that a report is made from. */
import type {
  CoreEvent,
  DaemonSet,
  Deployment,
  Job,
  Namespace,
  Node,
  PersistentVolumeClaim,
  Pod,
  StatefulSet,
  StorageClass,
} from '@capstan/kube';

export interface Observation {
  readonly server: ServerObservation;
  readonly objects: ObservedObjects;
  /** What could not be read, by kind: most often because this user may not. */
  readonly unreadable: readonly { readonly kind: string; readonly why: string }[];
}

export interface ServerObservation {
  /** `context "dev" (https://127.0.0.1:6443)`. */
  readonly description: string;
  /** Of Kubernetes: `v1.37.0`. */
  readonly version: string;
  /** Undefined: it says that it is ready. */
  readonly notReady?: string;
  /** Of a small request, in milliseconds. */
  readonly latency: number;
}

export interface ObservedObjects {
  readonly nodes: readonly Node[];
  readonly namespaces: readonly Namespace[];
  readonly deployments: readonly Deployment[];
  readonly statefulSets: readonly StatefulSet[];
  readonly daemonSets: readonly DaemonSet[];
  readonly pods: readonly Pod[];
  readonly jobs: readonly Job[];
  readonly claims: readonly PersistentVolumeClaim[];
  readonly storageClasses: readonly StorageClass[];
  readonly events: readonly CoreEvent[];
}
