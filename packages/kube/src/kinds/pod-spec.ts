/** What a Pod is made of: the fields that Capstan reads or writes. Others pass through untouched. */
import type { LabelSelector } from '../selectors/label-selector.ts';

export interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly ephemeralContainers?: readonly Container[];
  readonly volumes?: readonly Volume[];
  readonly restartPolicy?: 'Always' | 'OnFailure' | 'Never';
  readonly terminationGracePeriodSeconds?: number;
  readonly activeDeadlineSeconds?: number;
  readonly dnsPolicy?: string;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly serviceAccountName?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly nodeName?: string;
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostname?: string;
  readonly subdomain?: string;
  readonly hostAliases?: readonly { readonly ip: string; readonly hostnames?: readonly string[] }[];
  readonly shareProcessNamespace?: boolean;
  readonly securityContext?: PodSecurityContext;
  readonly imagePullSecrets?: readonly { readonly name?: string }[];
  readonly affinity?: Readonly<Record<string, unknown>>;
  readonly schedulerName?: string;
  readonly tolerations?: readonly Toleration[];
  readonly priorityClassName?: string;
  readonly readinessGates?: readonly { readonly conditionType: string }[];
  readonly enableServiceLinks?: boolean;
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[];
}

export interface Container {
  readonly name: string;
  readonly image?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly ports?: readonly ContainerPort[];
  readonly envFrom?: readonly EnvFromSource[];
  readonly env?: readonly EnvVar[];
  readonly resources?: ResourceRequirements;
  readonly volumeMounts?: readonly VolumeMount[];
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
  readonly lifecycle?: { readonly postStart?: ProbeAction; readonly preStop?: ProbeAction };
  readonly restartPolicy?: string;
  readonly imagePullPolicy?: 'Always' | 'Never' | 'IfNotPresent';
  readonly terminationMessagePath?: string;
  readonly terminationMessagePolicy?: string;
  readonly securityContext?: Readonly<Record<string, unknown>>;
  readonly stdin?: boolean;
  readonly tty?: boolean;
}

export interface ContainerPort {
  readonly name?: string;
  readonly containerPort: number;
  readonly hostPort?: number;
  readonly hostIP?: string;
  readonly protocol?: 'TCP' | 'UDP' | 'SCTP';
}

export interface EnvVar {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly fieldRef?: { readonly apiVersion?: string; readonly fieldPath: string };
    readonly resourceFieldRef?: {
      readonly containerName?: string;
      readonly resource: string;
      readonly divisor?: string;
    };
    readonly configMapKeyRef?: KeySelector;
    readonly secretKeyRef?: KeySelector;
  };
}

export interface EnvFromSource {
  readonly prefix?: string;
  readonly configMapRef?: { readonly name?: string; readonly optional?: boolean };
  readonly secretRef?: { readonly name?: string; readonly optional?: boolean };
}

export interface KeySelector {
  readonly name?: string;
  readonly key: string;
  readonly optional?: boolean;
}

/** Amounts are quantities: `500m`, `1Gi`. */
export interface ResourceRequirements {
  readonly limits?: Readonly<Record<string, string>>;
  readonly requests?: Readonly<Record<string, string>>;
}

export interface VolumeMount {
  readonly name: string;
  readonly mountPath: string;
  readonly subPath?: string;
  readonly subPathExpr?: string;
  readonly readOnly?: boolean;
}

export interface ProbeAction {
  readonly exec?: { readonly command?: readonly string[] };
  readonly httpGet?: {
    readonly path?: string;
    readonly port: number | string;
    readonly host?: string;
    readonly scheme?: 'HTTP' | 'HTTPS';
    readonly httpHeaders?: readonly { readonly name: string; readonly value: string }[];
  };
  readonly tcpSocket?: { readonly port: number | string; readonly host?: string };
  readonly grpc?: { readonly port: number; readonly service?: string };
  readonly sleep?: { readonly seconds: number };
}

export interface Probe extends ProbeAction {
  readonly initialDelaySeconds?: number;
  readonly timeoutSeconds?: number;
  readonly periodSeconds?: number;
  readonly successThreshold?: number;
  readonly failureThreshold?: number;
  readonly terminationGracePeriodSeconds?: number;
}

export interface Volume {
  readonly name: string;
  readonly emptyDir?: { readonly medium?: string; readonly sizeLimit?: string };
  readonly hostPath?: { readonly path: string; readonly type?: string };
  readonly configMap?: { readonly name?: string } & KeyProjection;
  readonly secret?: { readonly secretName?: string } & KeyProjection;
  readonly downwardAPI?: { readonly items?: readonly DownwardItem[]; readonly defaultMode?: number };
  readonly projected?: { readonly sources?: readonly ProjectedSource[]; readonly defaultMode?: number };
  readonly persistentVolumeClaim?: { readonly claimName: string; readonly readOnly?: boolean };
}

export interface KeyProjection {
  readonly items?: readonly { readonly key: string; readonly path: string; readonly mode?: number }[];
  readonly defaultMode?: number;
  readonly optional?: boolean;
}

export interface DownwardItem {
  readonly path: string;
  readonly fieldRef?: { readonly fieldPath: string };
  readonly resourceFieldRef?: { readonly containerName?: string; readonly resource: string; readonly divisor?: string };
  readonly mode?: number;
}

export interface ProjectedSource {
  readonly configMap?: { readonly name?: string } & KeyProjection;
  readonly secret?: { readonly name?: string } & KeyProjection;
  readonly downwardAPI?: { readonly items?: readonly DownwardItem[] };
  readonly serviceAccountToken?: {
    readonly path: string;
    readonly audience?: string;
    readonly expirationSeconds?: number;
  };
}

export interface PodSecurityContext {
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
  readonly runAsNonRoot?: boolean;
  readonly fsGroup?: number;
  readonly [field: string]: unknown;
}

export interface Toleration {
  readonly key?: string;
  readonly operator?: 'Exists' | 'Equal';
  readonly value?: string;
  readonly effect?: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
  readonly tolerationSeconds?: number;
}

export interface TopologySpreadConstraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway';
  readonly labelSelector?: LabelSelector;
}

export interface PodStatus {
  readonly phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
  readonly conditions?: readonly PodCondition[];
  readonly message?: string;
  readonly reason?: string;
  readonly hostIP?: string;
  readonly podIP?: string;
  readonly podIPs?: readonly { readonly ip: string }[];
  readonly startTime?: string;
  readonly observedGeneration?: number;
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly qosClass?: string;
}

/** As `Condition`, but everything besides the type and the status may be missing. */
export interface PodCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  readonly lastProbeTime?: string | null;
  readonly lastTransitionTime?: string | null;
  readonly observedGeneration?: number;
}

export interface ContainerStatus {
  readonly name: string;
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
  readonly ready: boolean;
  readonly restartCount: number;
  readonly image: string;
  readonly imageID: string;
  readonly containerID?: string;
  readonly started?: boolean;
}

export interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly running?: { readonly startedAt?: string };
  readonly terminated?: {
    readonly exitCode: number;
    readonly signal?: number;
    readonly reason?: string;
    readonly message?: string;
    readonly startedAt?: string;
    readonly finishedAt?: string;
    readonly containerID?: string;
  };
}

/** A Pod in the making, as workloads carry it. */
export interface PodTemplate {
  readonly metadata?: {
    readonly name?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
  };
  readonly spec: PodSpec;
}
