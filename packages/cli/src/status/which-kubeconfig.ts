import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Environment } from '@capstan/kube';

/**
 * The kubeconfig that a person means: the one that is named; without one and without KUBECONFIG, that of the cluster in this folder. Undefined: as
 * kubectl has it.
 */
export function whichKubeconfig(
  named: string | undefined,
  environment: Environment,
  folder: string,
): string | undefined {
  if (named !== undefined || environment['KUBECONFIG']) return named;
  const own = resolve(folder, '.capstan/kubeconfig');
  return existsSync(own) ? own : undefined;
}
