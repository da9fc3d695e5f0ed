/** Who a Pod of a StatefulSet is: its ordinal, its name, and the claims that go with them. */
import { ownerReference } from '@capstan/controller';
import type { ControllerRevision, NewObject, PersistentVolumeClaim, Pod, StatefulSet } from '@capstan/kube';
import { podFromTemplate } from '../workload/pod-control.ts';
import { REVISION_LABEL, templateOf } from '../workload/revisions.ts';

export const POD_NAME_LABEL = 'statefulset.kubernetes.io/pod-name';
export const POD_INDEX_LABEL = 'apps.kubernetes.io/pod-index';

/** The number at the end of the name; -1 for a Pod that belongs to another parent. */
export function ordinalOf({ metadata }: Pod, set: StatefulSet): number {
  const found = /^(.*)-([0-9]+)$/.exec(metadata.name);
  return found?.[1] === set.metadata.name ? Number(found[2]) : -1;
}

export function startOf({ spec }: StatefulSet): number {
  return spec.ordinals?.start ?? 0;
}

export function sizeOf({ spec }: StatefulSet): number {
  return spec.replicas ?? 1;
}

export function isInRange(ordinal: number, set: StatefulSet): boolean {
  return ordinal >= startOf(set) && ordinal < startOf(set) + sizeOf(set);
}

export const revisionOf = ({ metadata }: Pod): string => metadata.labels?.[REVISION_LABEL] ?? '';

/** The Pod of an ordinal, from the template of a revision. */
export function podFor(set: StatefulSet, revision: ControllerRevision, ordinal: number): NewObject<Pod> {
  const pod = podFromTemplate(templateOf(revision), set);
  const name = `${set.metadata.name}-${ordinal}`;
  const { serviceName } = set.spec;
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      name,
      labels: { ...pod.metadata.labels, ...identityLabels(name, ordinal), [REVISION_LABEL]: revision.metadata.name },
    },
    spec: {
      ...pod.spec,
      hostname: name,
      ...(serviceName && { subdomain: serviceName }),
      volumes: volumesWithClaims(set, pod.spec.volumes, ordinal),
    },
  };
}

function identityLabels(name: string, ordinal: number): Record<string, string> {
  return { [POD_NAME_LABEL]: name, [POD_INDEX_LABEL]: String(ordinal) };
}

/** Whether the label that Services and budgets select by is still right. */
export function hasIdentity(pod: Pod): boolean {
  return pod.metadata.labels?.[POD_NAME_LABEL] === pod.metadata.name;
}

export function withIdentity(pod: Pod, set: StatefulSet): Pod {
  const labels = { ...pod.metadata.labels, ...identityLabels(pod.metadata.name, ordinalOf(pod, set)) };
  return { ...pod, metadata: { ...pod.metadata, labels } };
}

type Volumes = NonNullable<Pod['spec']['volumes']>;

/** A volume of the template gives way to a claim of the same name. */
function volumesWithClaims(set: StatefulSet, volumes: Volumes = [], ordinal: number): Volumes {
  const claims = (set.spec.volumeClaimTemplates ?? []).map(({ metadata: { name } }) => ({
    name,
    persistentVolumeClaim: { claimName: claimName(set, name, ordinal) },
  }));
  const taken = new Set(claims.map(({ name }) => name));
  return [...claims, ...volumes.filter(({ name }) => !taken.has(name))];
}

function claimName(set: StatefulSet, template: string, ordinal: number): string {
  return `${template}-${set.metadata.name}-${ordinal}`;
}

/** Whether a claim of that name is one that the StatefulSet makes. */
export function isClaimOf(claim: string, { metadata, spec }: StatefulSet): boolean {
  return (spec.volumeClaimTemplates ?? []).some(template => {
    const prefix = `${template.metadata.name}-${metadata.name}-`;
    return claim.startsWith(prefix) && /^\d+$/.test(claim.slice(prefix.length));
  });
}

/** The claims of an ordinal as they are created. They carry no owner: that is up to the retention policy. */
export function claimsFor(set: StatefulSet, ordinal: number): readonly NewObject<PersistentVolumeClaim>[] {
  return (set.spec.volumeClaimTemplates ?? []).map(template => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      ...template.metadata,
      name: claimName(set, template.metadata.name, ordinal),
      namespace: set.metadata.namespace,
      labels: { ...template.metadata.labels, ...set.spec.selector.matchLabels },
    },
    ...(template.spec && { spec: template.spec }),
  }));
}

/** What an owner reference names is this object, or one that had its name before it. */
export function namesOwner(
  reference: { readonly apiVersion: string; readonly kind: string; readonly name: string },
  owner: Pod | StatefulSet,
): boolean {
  const { apiVersion, kind, name } = ownerReference({ ...owner, metadata: { uid: '-', ...owner.metadata } });
  return reference.apiVersion === apiVersion && reference.kind === kind && reference.name === name;
}
