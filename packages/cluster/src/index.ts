/** Be a cluster: the built-in controllers and the nodes beside the API server. */
export type { BuiltinController } from './controllers/builtin-controller.ts';
export { builtinControllers } from './controllers/index.ts';
export { type RunningControllers, type StartControllersOptions, startControllers } from './start-controllers.ts';
