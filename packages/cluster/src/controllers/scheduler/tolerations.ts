/** Whether a Pod puts up with what a node warns of. */
import type { Toleration } from '@capstan/kube';

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
  readonly timeAdded?: string;
}

export function tolerates({ key, operator = 'Equal', value, effect }: Toleration, taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  return operator === 'Exists' || (operator === 'Equal' && (value ?? '') === (taint.value ?? ''));
}

export const isTolerated = (tolerations: readonly Toleration[], taint: Taint): boolean =>
  tolerations.some(toleration => tolerates(toleration, taint));
