/** All of the built-in controllers, in the order in which they are set up. */
import type { BuiltinController } from './builtin-controller.ts';
import { cronJobController } from './cronjob/index.ts';
import { daemonSetController } from './daemonset/index.ts';
import { deploymentController } from './deployment/index.ts';
import { disruptionController } from './disruption/index.ts';
import { endpointsController } from './endpointslice/endpoints.ts';
import { endpointSliceController } from './endpointslice/index.ts';
import { garbageCollector } from './garbage-collector/index.ts';
import { jobController, ttlAfterFinishedController } from './job/index.ts';
import { namespaceController } from './namespace/index.ts';
import { nodeLifecycleController } from './node-lifecycle/index.ts';
import { taintEvictionController } from './node-lifecycle/taint-eviction.ts';
import { claimProtectionController } from './persistentvolume/claim-protection.ts';
import { podGarbageCollector } from './pod-gc/index.ts';
import { replicaSetController } from './replicaset/index.ts';
import { scheduler } from './scheduler/index.ts';
import { serviceAccountController } from './serviceaccount/index.ts';
import { statefulSetController } from './statefulset/index.ts';

export const builtinControllers: readonly BuiltinController[] = [
  namespaceController,
  garbageCollector,
  serviceAccountController,
  endpointSliceController,
  endpointsController,
  nodeLifecycleController,
  taintEvictionController,
  podGarbageCollector(),
  claimProtectionController,
  scheduler,
  deploymentController,
  replicaSetController,
  statefulSetController,
  daemonSetController,
  jobController,
  ttlAfterFinishedController,
  cronJobController,
  disruptionController,
];
