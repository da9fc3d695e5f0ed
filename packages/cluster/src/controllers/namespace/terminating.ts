import { ApiError, type Namespace } from '@capstan/kube';

/** Whether a create was refused because its namespace is on its way out: there is nothing to do there any more. */
export function isNamespaceTerminating(error: unknown): boolean {
  return error instanceof ApiError && error.causes.some(({ reason }) => reason === 'NamespaceTerminating');
}

/** Whether there is a namespace to put something into. */
export const isActive = (namespace: Namespace | undefined): boolean =>
  namespace !== undefined && namespace.metadata.deletionTimestamp === undefined;
