/** PodDisruptionBudget: how many Pods there must be. */
import { invalidValue } from '../../field-error.ts';
import type { Draft } from '../../kind.ts';
import type { Tree } from '../tree.ts';
import { checkOneOf, type Errors } from './fields.ts';
import { checkAtMostAll, checkIntOrPercent } from './int-or-percent.ts';
import { checkLabelSelector } from './selector.ts';

export function validateBudget(budget: Draft): Errors {
  const errors: Errors = [];
  const spec = (budget['spec'] ?? {}) as Tree;
  if (spec['minAvailable'] !== undefined && spec['maxUnavailable'] !== undefined) {
    const internal = {
      MinAvailable: spec['minAvailable'],
      Selector: spec['selector'] ?? null,
      MaxUnavailable: spec['maxUnavailable'],
      UnhealthyPodEvictionPolicy: spec['unhealthyPodEvictionPolicy'] ?? null,
    };
    errors.push(invalidValue('spec', internal, 'minAvailable and maxUnavailable cannot be both set'));
  }
  for (const field of ['minAvailable', 'maxUnavailable']) {
    checkIntOrPercent(errors, `spec.${field}`, spec[field]);
    checkAtMostAll(errors, `spec.${field}`, spec[field]);
  }
  checkLabelSelector(errors, 'spec.selector', spec['selector']);
  const policy = spec['unhealthyPodEvictionPolicy'] as string | undefined;
  checkOneOf(errors, 'spec.unhealthyPodEvictionPolicy', policy, ['AlwaysAllow', 'IfHealthyBudget']);
  return errors;
}
