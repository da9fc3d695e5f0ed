/** The core group, `v1`. */
import type { KubeObject } from '../object.ts';
import { resource } from '../resource.ts';
import type { PodCondition, PodSpec, PodStatus, ResourceRequirements } from './pod-spec.ts';

export interface Pod extends KubeObject {
  readonly spec: PodSpec;
  readonly status?: PodStatus;
}

export const pods = resource<Pod>({ group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true });

export interface Namespace extends KubeObject {
  readonly spec?: { readonly finalizers?: readonly string[] };
  readonly status?: { readonly phase?: 'Active' | 'Terminating'; readonly conditions?: readonly PodCondition[] };
}

export const namespaces = resource<Namespace>({
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
});

export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
  /** Base64. */
  readonly binaryData?: Readonly<Record<string, string>>;
  readonly immutable?: boolean;
}

export const configMaps = resource<ConfigMap>({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
});

export interface Secret extends KubeObject {
  readonly type?: string;
  /** Base64. */
  readonly data?: Readonly<Record<string, string>>;
  /** Write only: the server moves it into `data`. */
  readonly stringData?: Readonly<Record<string, string>>;
  readonly immutable?: boolean;
}

export const secrets = resource<Secret>({
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  namespaced: true,
});

export interface Service extends KubeObject {
  readonly spec?: {
    readonly type?: 'ClusterIP' | 'NodePort' | 'LoadBalancer' | 'ExternalName';
    readonly selector?: Readonly<Record<string, string>>;
    readonly ports?: readonly ServicePort[];
    readonly clusterIP?: string;
    readonly clusterIPs?: readonly string[];
    readonly externalIPs?: readonly string[];
    readonly externalName?: string;
    readonly publishNotReadyAddresses?: boolean;
    readonly sessionAffinity?: 'None' | 'ClientIP';
    readonly ipFamilies?: readonly string[];
    readonly ipFamilyPolicy?: string;
    readonly internalTrafficPolicy?: string;
    readonly externalTrafficPolicy?: string;
    readonly loadBalancerClass?: string;
  };
  readonly status?: {
    readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[] };
    readonly conditions?: readonly PodCondition[];
  };
}

export interface ServicePort {
  readonly name?: string;
  readonly protocol?: 'TCP' | 'UDP' | 'SCTP';
  readonly appProtocol?: string;
  readonly port: number;
  readonly targetPort?: number | string;
  readonly nodePort?: number;
}

export const services = resource<Service>({
  group: '',
  version: 'v1',
  kind: 'Service',
  plural: 'services',
  namespaced: true,
});

export interface ServiceAccount extends KubeObject {
  readonly secrets?: readonly ObjectReferenceField[];
  readonly imagePullSecrets?: readonly { readonly name?: string }[];
  readonly automountServiceAccountToken?: boolean;
}

export const serviceAccounts = resource<ServiceAccount>({
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  namespaced: true,
});

export interface Node extends KubeObject {
  readonly spec?: {
    readonly podCIDR?: string;
    readonly providerID?: string;
    readonly unschedulable?: boolean;
    readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
  };
  readonly status?: {
    readonly capacity?: Readonly<Record<string, string>>;
    readonly allocatable?: Readonly<Record<string, string>>;
    readonly conditions?: readonly NodeCondition[];
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    readonly nodeInfo?: Readonly<Record<string, unknown>>;
  };
}

export interface NodeCondition extends PodCondition {
  readonly lastHeartbeatTime?: string | null;
}

export const nodes = resource<Node>({ group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false });

export interface PersistentVolumeClaim extends KubeObject {
  readonly spec?: {
    readonly accessModes?: readonly string[];
    readonly resources?: ResourceRequirements;
    readonly storageClassName?: string;
    readonly volumeName?: string;
    readonly volumeMode?: string;
  };
  readonly status?: {
    readonly phase?: 'Pending' | 'Bound' | 'Lost';
    readonly accessModes?: readonly string[];
    readonly capacity?: Readonly<Record<string, string>>;
    readonly conditions?: readonly PodCondition[];
  };
}

export const persistentVolumeClaims = resource<PersistentVolumeClaim>({
  group: '',
  version: 'v1',
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  namespaced: true,
});

/** Names an object from within another: `involvedObject` of an event, `claimRef` of a volume. */
export interface ObjectReferenceField {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly fieldPath?: string;
}

/** Not called Event, which is a type of the platform. The newer form of it is `StructuredEvent`. */
export interface CoreEvent extends KubeObject {
  readonly involvedObject: ObjectReferenceField;
  readonly related?: ObjectReferenceField;
  readonly type?: 'Normal' | 'Warning';
  readonly reason?: string;
  readonly message?: string;
  readonly action?: string;
  readonly count?: number;
  readonly firstTimestamp?: string | null;
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
  readonly series?: { readonly count?: number; readonly lastObservedTime?: string };
  readonly source?: { readonly component?: string; readonly host?: string };
  readonly reportingComponent?: string;
  readonly reportingInstance?: string;
}

export const events = resource<CoreEvent>({
  group: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  namespaced: true,
});
