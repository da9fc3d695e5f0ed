import { type Cache, controllerOf, type Watch } from '@capstan/controller';
import { type KubeObject, type LabelSelector, labelSelectorMatcher, type Resource } from '@capstan/kube';

/** A kind whose objects select others by label. */
export type Selecting = KubeObject & { readonly spec: { readonly selector?: LabelSelector | undefined } };

/** Wakes every workload that might adopt an object which has no controller. (Those that have one wake it by `owns`.) */
export function wakeClaimants<T extends KubeObject, O extends Selecting>(
  kind: Resource<T>,
  owners: Resource<O>,
  cache: Cache,
): Watch<T> {
  return {
    kind,
    map: object => {
      if (controllerOf(object) !== undefined || object.metadata.labels === undefined) return [];
      return cache
        .of(owners)
        .now.list({ namespace: object.metadata.namespace })
        .filter(owner => labelSelectorMatcher(owner.spec.selector).matches(object.metadata.labels))
        .map(owner => owner.metadata);
    },
  };
}
