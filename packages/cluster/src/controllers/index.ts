/** All of the built-in controllers, in the order in which they are set up. */
import type { BuiltinController } from './builtin-controller.ts';
import { garbageCollector } from './garbage-collector/index.ts';
import { namespaceController } from './namespace/index.ts';

export const builtinControllers: readonly BuiltinController[] = [namespaceController, garbageCollector];
