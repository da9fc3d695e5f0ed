/** What a webhook may know of a request beside the object itself. */
import { apiVersionOf, type Json } from '@capstan/kube';
import type { KindDefinition, Stored } from '../kind.ts';
import type { User } from '../request.ts';
import type { AdmissionOperation, WriteContext } from '../write/context.ts';
import type { Operation } from './rule.ts';

export interface Attributes {
  readonly operation: Operation;
  /** What the path names: the Deployment, also where the object is its Scale. */
  readonly resource: KindDefinition;
  readonly subresource: string;
  /** Of the object. */
  readonly kind: KindDefinition;
  readonly name: string;
  /** Of a Namespace: its own. Empty where there is none. */
  readonly namespace: string;
  readonly user: User;
  readonly dryRun: boolean;
  readonly options: Json;
  readonly old: Stored | undefined;
}

export function attributesOf(operation: AdmissionOperation, context: WriteContext): Attributes {
  const { kind, resource = kind, subresource, user } = context;
  const old = operation.type === 'CREATE' ? undefined : operation.old;
  // A new object with a generated name has none before it is about to be stored; a collection is deleted under no name at all.
  const name = context.name ?? (operation.type === 'CREATE' ? (operation.object.metadata.name ?? '') : '');
  return {
    operation: operation.type,
    resource,
    subresource,
    kind,
    name,
    namespace: isNamespaces(resource) ? name : (context.namespace ?? ''),
    user,
    dryRun: operation.type === 'DELETE' ? operation.options.dryRun : context.options.dryRun,
    options: optionsOf(operation, context),
    old,
  };
}

export const isNamespaces = ({ group, plural }: KindDefinition): boolean => group === '' && plural === 'namespaces';

/** As the client sent them, without what it left out. */
function optionsOf(operation: AdmissionOperation, { options }: WriteContext): Json {
  const type = (kind: string): Record<string, Json> => ({ kind, apiVersion: 'meta.k8s.io/v1' });
  if (operation.type === 'DELETE') {
    const { gracePeriodSeconds, propagation, preconditions, dryRun, orphanDependents } = operation.options;
    return {
      ...type('DeleteOptions'),
      ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
      ...(Object.keys(preconditions).length > 0 && { preconditions: { ...preconditions } }),
      ...(orphanDependents !== undefined && { orphanDependents }),
      ...(orphanDependents === undefined && propagation !== undefined && { propagationPolicy: propagation }),
      ...(dryRun && { dryRun: ['All'] }),
    };
  }
  const { given, dryRun } = options;
  return {
    ...type(operation.type === 'CREATE' ? 'CreateOptions' : 'UpdateOptions'),
    ...(dryRun && { dryRun: ['All'] }),
    ...(given.fieldManager !== '' && { fieldManager: given.fieldManager }),
    ...(given.fieldValidation !== '' && { fieldValidation: given.fieldValidation }),
  };
}

export interface GroupVersionKind {
  readonly [field: string]: Json;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export const kindNames = ({ group, version, kind }: KindDefinition): GroupVersionKind => ({ group, version, kind });

export const resourceNames = ({ group, version, plural }: KindDefinition): Json => ({
  group,
  version,
  resource: plural,
});

/** `example.com/v1, Kind=Widget`, as messages write it. */
export const kindText = (kind: KindDefinition): string => `${apiVersionOf(kind)}, Kind=${kind.kind}`;
