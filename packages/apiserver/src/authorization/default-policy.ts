/**
 * The roles and bindings that every cluster begins with and that users and charts count on: `cluster-admin`, `admin`, `edit`,
 * `view` and what makes them up, and what everyone may who is known at all. The data are those of Kubernetes; roles of its own
 * programs are left out, as none of them runs here.
 */
import { type Clock, deepClone, type PolicyRule, type Random, timestamp, uuid } from '@capstan/kube';
import type { Draft, Stored } from '../kind.ts';
import { keyOf } from '../storage.ts';
import type { Store } from '../store/store.ts';
import { gatheredRules } from './aggregation.ts';
import data from './default-policy.gen.json' with { type: 'json' };

interface DefaultObject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly rules?: readonly PolicyRule[];
}

/** Writes what is missing. What someone has changed stays as it is. */
export async function bootstrapPolicy(store: Store, clock: Clock, random: Random): Promise<void> {
  const missing = defaultPolicy().filter(object => !store.head(tableOf(object), keyOfObject(object)));
  await Promise.all(
    missing.map(object => {
      const draft = deepClone(object) as Draft;
      Object.assign(draft.metadata, { uid: uuid(random), creationTimestamp: timestamp(clock.now()) });
      return store.write(tableOf(object), keyOfObject(object), undefined, draft);
    }),
  );
}

/** The default objects, with the rules that aggregated roles come to. */
export function defaultPolicy(): readonly Stored[] {
  const objects = (data as unknown as readonly DefaultObject[]).map(completed);
  const roles = objects.filter(object => object['kind'] === 'ClusterRole');
  // `admin` gathers `edit`, which gathers `view`: as many rounds as there are levels.
  for (let changed = true; changed; ) {
    changed = false;
    for (const role of roles) {
      const rules = gatheredRules(role, roles);
      if (rules === undefined || rules.length === role['rules']?.length) continue;
      (role as Draft)['rules'] = rules;
      changed = true;
    }
  }
  return objects;
}

function completed({ kind, name, namespace, labels, ...rest }: DefaultObject): Stored {
  return {
    kind,
    apiVersion: 'rbac.authorization.k8s.io/v1',
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
      annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
    },
    ...rest,
  };
}

const tableOf = (object: Stored): string => `rbac.authorization.k8s.io/${String(object['kind']).toLowerCase()}s`;

const keyOfObject = ({ metadata }: Stored): string => keyOf(metadata.namespace, metadata.name!);
