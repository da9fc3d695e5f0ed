import type { Manager } from '@capstan/controller';

/** One of the controllers that every Kubernetes runs, on the kit like any other. Each can be left out. */
export interface BuiltinController {
  /** As kube-controller-manager calls it, where it has it: `deployment`, `garbage-collector`, … */
  readonly name: string;
  setup(manager: Manager): void;
}
