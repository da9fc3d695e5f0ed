/** Which printer a kind has. */
import type { KubeObject } from '@capstan/kube';
import type { KindDefinition } from '../kind.ts';
import { clusterRoleBindingPrinter, roleBindingPrinter } from './access.ts';
import {
  configMapPrinter,
  priorityClassPrinter,
  resourceQuotaPrinter,
  secretPrinter,
  serviceAccountPrinter,
} from './configuration.ts';
import { customResourcePrinter } from './custom-resource.ts';
import { eventPrinter } from './events.ts';
import { apiServicePrinter, customResourceDefinitionPrinter, webhookConfigurationPrinter } from './extension.ts';
import { cronJobPrinter, jobPrinter } from './jobs.ts';
import { leasePrinter, namespacePrinter, nodePrinter } from './nodes.ts';
import { podPrinter } from './pods.ts';
import { autoscalerPrinter, podDisruptionBudgetPrinter } from './policies.ts';
import { type Printer, plainPrinter } from './printer.ts';
import {
  endpointSlicePrinter,
  endpointsPrinter,
  ingressPrinter,
  networkPolicyPrinter,
  servicePrinter,
} from './services.ts';
import { persistentVolumeClaimPrinter, persistentVolumePrinter, storageClassPrinter } from './volumes.ts';
import {
  controllerRevisionPrinter,
  daemonSetPrinter,
  deploymentPrinter,
  replicaSetPrinter,
  statefulSetPrinter,
} from './workloads.ts';

/** A printer for objects of one kind, which it is handed by that kind alone. */
const forKind = <T extends KubeObject>(printer: Printer<T>): Printer => printer as unknown as Printer;

/** By the group and the plural name under which a kind is stored: all versions of it look the same. */
const BUILTIN: Readonly<Record<string, Printer>> = {
  '/namespaces': forKind(namespacePrinter),
  '/pods': forKind(podPrinter),
  '/services': forKind(servicePrinter),
  '/configmaps': forKind(configMapPrinter),
  '/secrets': forKind(secretPrinter),
  '/serviceaccounts': forKind(serviceAccountPrinter),
  '/persistentvolumeclaims': forKind(persistentVolumeClaimPrinter),
  '/persistentvolumes': forKind(persistentVolumePrinter),
  '/nodes': forKind(nodePrinter),
  '/events': forKind(eventPrinter),
  '/endpoints': forKind(endpointsPrinter),
  '/resourcequotas': forKind(resourceQuotaPrinter),
  'apps/deployments': forKind(deploymentPrinter),
  'apps/replicasets': forKind(replicaSetPrinter),
  'apps/statefulsets': forKind(statefulSetPrinter),
  'apps/daemonsets': forKind(daemonSetPrinter),
  'apps/controllerrevisions': forKind(controllerRevisionPrinter),
  'batch/jobs': forKind(jobPrinter),
  'batch/cronjobs': forKind(cronJobPrinter),
  'autoscaling/horizontalpodautoscalers': forKind(autoscalerPrinter),
  'policy/poddisruptionbudgets': forKind(podDisruptionBudgetPrinter),
  'coordination.k8s.io/leases': forKind(leasePrinter),
  'discovery.k8s.io/endpointslices': forKind(endpointSlicePrinter),
  'networking.k8s.io/ingresses': forKind(ingressPrinter),
  'networking.k8s.io/networkpolicies': forKind(networkPolicyPrinter),
  'storage.k8s.io/storageclasses': forKind(storageClassPrinter),
  'scheduling.k8s.io/priorityclasses': forKind(priorityClassPrinter),
  'rbac.authorization.k8s.io/rolebindings': forKind(roleBindingPrinter),
  'rbac.authorization.k8s.io/clusterrolebindings': forKind(clusterRoleBindingPrinter),
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': forKind(webhookConfigurationPrinter),
  'admissionregistration.k8s.io/validatingwebhookconfigurations': forKind(webhookConfigurationPrinter),
  'apiextensions.k8s.io/customresourcedefinitions': forKind(customResourceDefinitionPrinter),
  'apiregistration.k8s.io/apiservices': forKind(apiServicePrinter),
};

/** Paths of custom columns are parsed once for each definition. */
const custom = new WeakMap<KindDefinition, Printer>();

export function printerOf(kind: KindDefinition): Printer {
  if (!kind.custom) return BUILTIN[`${kind.storage.group}/${kind.storage.plural}`] ?? plainPrinter;
  let printer = custom.get(kind);
  if (!printer) custom.set(kind, (printer = customResourcePrinter(kind.columns)));
  return printer;
}
