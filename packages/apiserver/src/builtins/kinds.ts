/** Every built-in kind, one entry a served version. */
import type { KindDefinition } from '../kind.ts';
import {
  coordinationKinds,
  discoveryKinds,
  eventsKinds,
  networkingKinds,
  schedulingKinds,
  storageKinds,
} from './kinds/cluster-services.ts';
import { coreKinds } from './kinds/core.ts';
import { admissionKinds, apiextensionsKinds, apiregistrationKinds, rbacKinds } from './kinds/extension.ts';
import { appsKinds, autoscalingKinds, batchKinds, policyKinds } from './kinds/workloads.ts';

const kinds: readonly KindDefinition[] = Object.freeze([
  ...coreKinds,
  ...appsKinds,
  ...batchKinds,
  ...autoscalingKinds,
  ...policyKinds,
  ...coordinationKinds,
  ...discoveryKinds,
  ...eventsKinds,
  ...networkingKinds,
  ...storageKinds,
  ...schedulingKinds,
  ...rbacKinds,
  ...admissionKinds,
  ...apiextensionsKinds,
  ...apiregistrationKinds,
]);

/** The kinds that the server stores. Within a group the preferred version comes first. */
export function builtinKinds(): readonly KindDefinition[] {
  return kinds;
}
