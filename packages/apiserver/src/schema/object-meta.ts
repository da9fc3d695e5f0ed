/** `metadata` as every kind has it. Custom resources get it added to their schema; embedded resources are held to it. */
import type { Schema } from './schema.ts';

const string: Schema = { type: 'string' };
const boolean: Schema = { type: 'boolean' };
const int64: Schema = { type: 'integer', format: 'int64' };
const time: Schema = { type: 'string', format: 'date-time', nullable: true };
const stringMap: Schema = { type: 'object', additionalProperties: string };

const ownerReference: Schema = {
  type: 'object',
  required: ['apiVersion', 'kind', 'name', 'uid'],
  properties: {
    apiVersion: string,
    blockOwnerDeletion: boolean,
    controller: boolean,
    kind: string,
    name: string,
    uid: string,
  },
  'x-kubernetes-map-type': 'atomic',
};

const managedFieldsEntry: Schema = {
  type: 'object',
  properties: {
    apiVersion: string,
    fieldsType: string,
    fieldsV1: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    manager: string,
    operation: string,
    subresource: string,
    time,
  },
};

export const OBJECT_META: Schema = {
  type: 'object',
  properties: {
    annotations: stringMap,
    creationTimestamp: time,
    deletionGracePeriodSeconds: int64,
    deletionTimestamp: time,
    finalizers: {
      type: 'array',
      items: string,
      'x-kubernetes-list-type': 'set',
      'x-kubernetes-patch-strategy': 'merge',
    },
    generateName: string,
    generation: int64,
    labels: stringMap,
    managedFields: { type: 'array', items: managedFieldsEntry, 'x-kubernetes-list-type': 'atomic' },
    name: string,
    namespace: string,
    ownerReferences: {
      type: 'array',
      items: ownerReference,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['uid'],
      'x-kubernetes-patch-merge-key': 'uid',
      'x-kubernetes-patch-strategy': 'merge',
    },
    resourceVersion: string,
    selfLink: string,
    uid: string,
  },
};
