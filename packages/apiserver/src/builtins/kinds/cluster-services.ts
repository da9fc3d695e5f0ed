/** The kinds of the smaller groups: coordination, discovery, networking, storage, scheduling, events. */
import { defineKinds } from '../define-kind.ts';
import { eventFromStorage, eventToStorage } from '../event-conversion.ts';
import {
  endpointSliceRules,
  eventRules,
  ingressRules,
  leaseRules,
  networkPolicyRules,
  priorityClassRules,
  storageClassRules,
} from '../rules/cluster-services.ts';
import { eventsGroupFields } from './event-fields.ts';

export const coordinationKinds = defineKinds(
  { group: 'coordination.k8s.io', version: 'v1', definitions: 'io.k8s.api.coordination.v1' },
  [{ kind: 'Lease', plural: 'leases', rules: leaseRules }],
);

export const discoveryKinds = defineKinds(
  { group: 'discovery.k8s.io', version: 'v1', definitions: 'io.k8s.api.discovery.v1' },
  [{ kind: 'EndpointSlice', plural: 'endpointslices', rules: endpointSliceRules }],
);

export const eventsKinds = defineKinds({ group: 'events.k8s.io', version: 'v1', definitions: 'io.k8s.api.events.v1' }, [
  {
    kind: 'Event',
    plural: 'events',
    shortNames: ['ev'],
    selectableFields: eventsGroupFields,
    storage: { group: '', plural: 'events', version: 'v1' },
    fromStorage: eventFromStorage,
    toStorage: eventToStorage,
    rules: eventRules,
  },
]);

export const networkingKinds = defineKinds(
  { group: 'networking.k8s.io', version: 'v1', definitions: 'io.k8s.api.networking.v1' },
  [
    { kind: 'Ingress', plural: 'ingresses', shortNames: ['ing'], status: true, rules: ingressRules },
    { kind: 'NetworkPolicy', plural: 'networkpolicies', shortNames: ['netpol'], rules: networkPolicyRules },
  ],
);

export const storageKinds = defineKinds(
  { group: 'storage.k8s.io', version: 'v1', definitions: 'io.k8s.api.storage.v1' },
  [{ kind: 'StorageClass', plural: 'storageclasses', shortNames: ['sc'], namespaced: false, rules: storageClassRules }],
);

export const schedulingKinds = defineKinds(
  { group: 'scheduling.k8s.io', version: 'v1', definitions: 'io.k8s.api.scheduling.v1' },
  [
    {
      kind: 'PriorityClass',
      plural: 'priorityclasses',
      shortNames: ['pc'],
      namespaced: false,
      rules: priorityClassRules,
    },
  ],
);
