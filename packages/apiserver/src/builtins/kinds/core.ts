/** The kinds of `v1`. */
import { ALL_VERBS, defineKinds } from '../define-kind.ts';
import { coreEventRules } from '../rules/cluster-services.ts';
import {
  configMapRules,
  endpointsRules,
  limitRangeRules,
  namespaceRules,
  nodeRules,
  persistentVolumeClaimRules,
  persistentVolumeRules,
  resourceQuotaRules,
  secretRules,
  serviceAccountRules,
} from '../rules/core.ts';
import { podRules } from '../rules/pod.ts';
import { serviceRules } from '../rules/service.ts';
import { coreEventFields } from './event-fields.ts';

const V1 = { group: '', version: 'v1', definitions: 'io.k8s.api.core.v1' };

const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

export const coreKinds = defineKinds(V1, [
  {
    kind: 'Namespace',
    plural: 'namespaces',
    shortNames: ['ns'],
    namespaced: false,
    verbs: ALL_VERBS.filter(verb => verb !== 'deletecollection'),
    status: true,
    other: ['finalize'],
    rules: namespaceRules,
    selectableFields: { 'status.phase': object => text(object['status']?.phase) },
  },
  {
    kind: 'Pod',
    plural: 'pods',
    shortNames: ['po'],
    categories: ['all'],
    status: true,
    other: ['attach', 'binding', 'ephemeralcontainers', 'eviction', 'exec', 'log', 'portforward', 'proxy', 'resize'],
    selectableFields: {
      'spec.nodeName': object => text(object['spec']?.nodeName),
      'spec.restartPolicy': object => text(object['spec']?.restartPolicy),
      'spec.schedulerName': object => text(object['spec']?.schedulerName),
      'spec.serviceAccountName': object => text(object['spec']?.serviceAccountName),
      'spec.hostNetwork': object => String(object['spec']?.hostNetwork ?? false),
      'status.phase': object => text(object['status']?.phase),
      'status.podIP': object => text(object['status']?.podIPs?.[0]?.ip),
      'status.nominatedNodeName': object => text(object['status']?.nominatedNodeName),
    },
    rules: podRules,
  },
  {
    kind: 'Service',
    plural: 'services',
    shortNames: ['svc'],
    categories: ['all'],
    status: true,
    other: ['proxy'],
    selectableFields: {
      'spec.clusterIP': object => text(object['spec']?.clusterIP),
      'spec.type': object => text(object['spec']?.type),
    },
    rules: serviceRules,
  },
  { kind: 'ConfigMap', plural: 'configmaps', shortNames: ['cm'], rules: configMapRules },
  { kind: 'Secret', plural: 'secrets', selectableFields: { type: object => text(object['type']) }, rules: secretRules },
  {
    kind: 'ServiceAccount',
    plural: 'serviceaccounts',
    shortNames: ['sa'],
    other: ['token'],
    rules: serviceAccountRules,
  },
  {
    kind: 'PersistentVolumeClaim',
    plural: 'persistentvolumeclaims',
    shortNames: ['pvc'],
    status: true,
    rules: persistentVolumeClaimRules,
  },
  {
    kind: 'PersistentVolume',
    plural: 'persistentvolumes',
    shortNames: ['pv'],
    namespaced: false,
    status: true,
    rules: persistentVolumeRules,
  },
  {
    kind: 'Node',
    plural: 'nodes',
    shortNames: ['no'],
    namespaced: false,
    status: true,
    other: ['proxy'],
    selectableFields: { 'spec.unschedulable': object => String(object['spec']?.unschedulable ?? false) },
    rules: nodeRules,
  },
  {
    kind: 'Event',
    plural: 'events',
    shortNames: ['ev'],
    selectableFields: coreEventFields,
    rules: coreEventRules,
  },
  {
    kind: 'Endpoints',
    plural: 'endpoints',
    shortNames: ['ep'],
    deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
    rules: endpointsRules,
  },
  { kind: 'ResourceQuota', plural: 'resourcequotas', shortNames: ['quota'], status: true, rules: resourceQuotaRules },
  { kind: 'LimitRange', plural: 'limitranges', shortNames: ['limits'], rules: limitRangeRules },
]);
