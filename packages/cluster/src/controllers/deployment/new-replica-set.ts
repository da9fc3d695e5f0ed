import { ownerReference } from '@capstan/controller';
import type { Deployment, NewObject, ReplicaSet } from '@capstan/kube';
import { templateHash } from '../workload/template-hash.ts';
import { currentAnnotations, nextRevision, sizeAnnotations } from './annotations.ts';
import { TEMPLATE_HASH_LABEL } from './replica-sets.ts';
import { initialSize } from './scaling.ts';

const LONGEST_NAME = 253;

/** The ReplicaSet for the Deployment's template. Its name follows from the template, so that it is created once. */
export function newReplicaSet(deployment: Deployment, old: readonly ReplicaSet[]): NewObject<ReplicaSet> {
  const { metadata, spec, status } = deployment;
  const hash = templateHash(spec.template, status?.collisionCount);
  const labels = { ...spec.template.metadata?.labels, [TEMPLATE_HASH_LABEL]: hash };
  const { selector, template, minReadySeconds } = spec;
  return {
    metadata: {
      name: `${metadata.name.slice(0, LONGEST_NAME - 1 - hash.length)}-${hash}`,
      namespace: metadata.namespace,
      ownerReferences: [ownerReference(deployment)],
      labels,
      annotations: { ...currentAnnotations(deployment, {}, nextRevision(old)), ...sizeAnnotations(deployment) },
    },
    spec: {
      replicas: initialSize(deployment, old),
      ...(minReadySeconds !== undefined && { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, [TEMPLATE_HASH_LABEL]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
}
