/** All of the built-in controllers, in the order in which they are set up. */
import type { BuiltinController } from './builtin-controller.ts';

export const builtinControllers: readonly BuiltinController[] = [];
