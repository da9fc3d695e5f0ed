/**
 * `@capstan/controller` reacts to Kubernetes: it keeps caches of what there is, calls a function for every object that changed, and
 * sees to everything around it (queue, retries, leader election, Events, CRDs, health). See `docs/write-a-controller.md`.
 */

export { Cache } from './cache/cache.ts';
export type { CacheChange, KindCache, KindOptions, Query, ReadOptions, View } from './cache/kind-cache.ts';
export { byNamespace, byOwner, type Change, type IndexFunction } from './cache/store.ts';
export { getCondition, isTrue, type NewCondition, setCondition } from './conditions.ts';
export type { ControllerOptions } from './controller/controller.ts';
export { type Reconcile, type ReconcileContext, reconcileChannel } from './controller/reconcile.ts';
export { HOME, keyOf, type Request, requestOf } from './controller/request.ts';
export { done, fail, type Result, requeueAfter } from './controller/result.ts';
export { type Predicate, specChanged, type Watch, type Watched } from './controller/source.ts';
export {
  type CustomObject,
  type CustomResource,
  type CustomResourceOptions,
  customResource,
  type ObjectOf,
  type Problem,
  type ReadonlyDeep,
} from './crd/custom-resource.ts';
export { type EnsureOptions, ensureCrds } from './crd/ensure-crds.ts';
export { structuralSchema } from './crd/structural.ts';
export { type Duration, milliseconds } from './duration.ts';
export { ControllerError, type ControllerErrorCode, isControllerError } from './errors.ts';
export type { NewEvent, Recorder } from './events/events.ts';
export { type Finalized, type Finalizer, finalize } from './finalizer.ts';
export type { LeaderElectionOptions } from './leader/leader.ts';
export { createLog, type Log, type LogFields, type LogLevel, type LogOptions, silentLog } from './log/log.ts';
export { redacted, redactedText } from './log/redact.ts';
export type { Cluster, ClusterOptions } from './manager/cluster.ts';
export type { Health, HealthCheck, HealthReport } from './manager/health.ts';
export { createManager, type Manager, type ManagerOptions } from './manager/manager.ts';
export type { Metrics } from './manager/metrics.ts';
export type { Listen, Served } from './manager/serve.ts';
export { shutdownSignal } from './manager/shutdown.ts';
export type { Task } from './manager/term.ts';
export type { Command, CommandContext, HttpRoutes, Operator, Schema } from './operator.ts';
export { controllerOf, isOwnedBy, type OwnerReferenceOptions, ownerReference } from './owner.ts';
export type { Backoff } from './queue/backoff.ts';
export { type Finish, type Priority, Queue, type QueueItem, type QueueOptions } from './queue/queue.ts';
