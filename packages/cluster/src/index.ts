/** Be a cluster: the built-in controllers and the nodes beside the API server. */
export type { BuiltinController } from './controllers/builtin-controller.ts';
export { builtinControllers } from './controllers/index.ts';
export { builtinImages, type ImageCatalogue, type ImageEntry } from './images/catalogue.ts';
export { forgetNode } from './node/forget-node.ts';
export { type ProcessNodeOptions, startProcessNode } from './node/process-node.ts';
export type { RunningNode } from './node/running-node.ts';
export { type SimulatedNodeOptions, startSimulatedNode } from './node/simulated/simulated-node.ts';
export { type RunningControllers, type StartControllersOptions, startControllers } from './start-controllers.ts';
