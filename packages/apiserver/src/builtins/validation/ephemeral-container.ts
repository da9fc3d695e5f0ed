/** Containers that are added to a running Pod to look into it. */
import { duplicateValue, forbiddenValue } from '../../field-error.ts';
import { listOf, type Tree } from '../tree.ts';
import { checkContainerCommon, type Surroundings } from './container.ts';
import type { Errors } from './fields.ts';

/** They come and go without being watched, and take nothing that was promised to others. */
const NOT_FOR_THEM = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
];
const FORBIDDEN = 'cannot be set for an Ephemeral Container';

export function checkEphemeralContainers(
  errors: Errors,
  path: string,
  containers: readonly Tree[],
  others: readonly Tree[],
  around: Surroundings,
): void {
  const otherNames = new Set(others.map(container => container['name'] as string));
  const names = new Set(otherNames);
  for (const [index, container] of containers.entries()) {
    const at = `${path}[${index}]`;
    const { name = '', targetContainerName: target } = container;
    checkContainerCommon(errors, at, container, around);
    if (names.has(name)) errors.push(duplicateValue(`${at}.name`, name));
    names.add(name);
    if (target && !otherNames.has(target)) {
      errors.push({ type: 'FieldValueNotFound', field: `${at}.targetContainerName`, badValue: target, detail: '' });
    }
    for (const field of NOT_FOR_THEM)
      if (isSet(container[field])) errors.push(forbiddenValue(`${at}.${field}`, FORBIDDEN));
    for (const [mountIndex, mount] of listOf(container, 'volumeMounts').entries()) {
      for (const field of ['subPath', 'subPathExpr']) {
        if (mount[field]) errors.push(forbiddenValue(`${at}.volumeMounts[${mountIndex}].${field}`, FORBIDDEN));
      }
    }
  }
}

/** `resources` is always written, empty where nobody set it. */
function isSet(value: unknown): boolean {
  return value !== undefined && (typeof value !== 'object' || value === null || Object.keys(value).length > 0);
}
