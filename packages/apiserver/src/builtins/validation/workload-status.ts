/** The counters in the status of workloads. */
import { invalidValue } from '../../field-error.ts';
import type { Draft } from '../../kind.ts';
import type { Tree } from '../tree.ts';
import { checkNoneNegative, type Errors } from './fields.ts';

/** The parts of `status.replicas` cannot be more than it, nor those available more than those ready. */
export function validateReplicaCounts(parts: readonly string[]): (object: Draft) => Errors {
  return object => {
    const errors: Errors = [];
    const status = (object['status'] ?? {}) as Tree;
    const count = (field: string): number => (status[field] ?? 0) as number;
    checkNoneNegative(errors, 'status', status, ['replicas', ...parts, 'observedGeneration', 'collisionCount']);
    const atMost = (field: string, whole: string, words: string): void => {
      if (count(field) > count(whole)) {
        errors.push(invalidValue(`status.${field}`, count(field), `cannot be greater than ${words}`));
      }
    };
    for (const field of parts) atMost(field, 'replicas', 'status.replicas');
    if (parts.includes('availableReplicas')) atMost('availableReplicas', 'readyReplicas', 'readyReplicas');
    return errors;
  };
}

/** Counters that are simply not negative. */
export function validateCounters(fields: readonly string[]): (object: Draft) => Errors {
  return object => {
    const errors: Errors = [];
    checkNoneNegative(errors, 'status', object['status'] as Tree | undefined, fields);
    return errors;
  };
}
