/**
 * `@capstan/controller` reacts to Kubernetes: it keeps caches of what there is, calls a function for every object that changed, and
 * sees to everything around it (queue, retries, leader election, Events, CRDs, health). See `docs/write-a-controller.md`.
 */
export type { Backoff } from './backoff.ts';
export { Cache } from './cache.ts';
export type { Cluster, ClusterOptions } from './cluster.ts';
export { getCondition, isTrue, type NewCondition, setCondition } from './conditions.ts';
export type { ControllerOptions } from './controller.ts';
export {
  type CustomObject,
  type CustomResource,
  type CustomResourceOptions,
  customResource,
  type ObjectOf,
  type Problem,
  type ReadonlyDeep,
} from './custom-resource.ts';
export { type Duration, milliseconds } from './duration.ts';
export { type EnsureOptions, ensureCrds } from './ensure-crds.ts';
export { ControllerError, type ControllerErrorCode, isControllerError } from './errors.ts';
export type { NewEvent, Recorder } from './events.ts';
export { type Finalized, type Finalizer, finalize } from './finalizer.ts';
export type { Health, HealthCheck, HealthReport } from './health.ts';
export type { CacheChange, KindCache, KindOptions, Query, ReadOptions, View } from './kind-cache.ts';
export type { LeaderElectionOptions } from './leader.ts';
export { createLog, type Log, type LogFields, type LogLevel, type LogOptions, silentLog } from './log.ts';
export { createManager, type Manager, type ManagerOptions } from './manager.ts';
export type { Metrics } from './metrics.ts';
export type { Command, CommandContext, HttpRoutes, Operator, Schema } from './operator.ts';
export { controllerOf, isOwnedBy, type OwnerReferenceOptions, ownerReference } from './owner.ts';
export { type Finish, type Priority, Queue, type QueueItem, type QueueOptions } from './queue.ts';
export { type Reconcile, type ReconcileContext, reconcileChannel } from './reconcile.ts';
export { redacted, redactedText } from './redact.ts';
export { HOME, keyOf, type Request, requestOf } from './request.ts';
export { done, fail, type Result, requeueAfter } from './result.ts';
export type { Listen, Served } from './serve.ts';
export { shutdownSignal } from './shutdown.ts';
export { type Predicate, specChanged, type Watch, type Watched } from './source.ts';
export { byNamespace, byOwner, type Change, type IndexFunction } from './store.ts';
export { structuralSchema } from './structural.ts';
export type { Task } from './term.ts';
