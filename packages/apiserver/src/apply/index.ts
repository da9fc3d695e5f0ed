/**
 * Server-side apply and the ownership of fields, pure: objects in, objects out; the time is passed in.
 *
 * Every object carries in `metadata.managedFields` who set which of its fields. A plain write takes what it changes
 * (`trackUpdate`); an apply says what it wants to own, learns of conflicts with other owners, and lets go of what it stops
 * mentioning (`applyConfiguration`). Semantics are those of Kubernetes: structured-merge-diff below, the field manager of
 * apimachinery on top. What is stored is never edited: inputs may be frozen, and results share what did not change.
 */
export { type ApplyInput, type ApplyResult, applyConfiguration, type Conflict } from './apply-configuration.ts';
export { conflictStatus } from './conflict-status.ts';
export { managedFieldsProblem } from './managers.ts';
export { managedFieldsOfScale, managedFieldsOfScaled, type ReplicasPaths } from './scale.ts';
export { trackUpdate, type UpdateInput } from './track-update.ts';
export type { Write } from './write.ts';
