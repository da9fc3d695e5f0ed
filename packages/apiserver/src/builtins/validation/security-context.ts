/** Users, groups and privileges, of a container or of its Pod. */
import { duplicateValue, invalidValue, requiredValue } from '../../field-error.ts';
import { listOf, type Tree } from '../tree.ts';
import { checkOneOf, checkRange, type Errors } from './fields.ts';

const MOST = 2 ** 31 - 1;
const SYSCTL = String.raw`^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$`;
const sysctl = new RegExp(SYSCTL);

export function checkContainerSecurity(errors: Errors, path: string, context: Tree | undefined): void {
  if (context === undefined) return;
  checkRange(errors, `${path}.runAsUser`, context['runAsUser'], 0, MOST);
  checkRange(errors, `${path}.runAsGroup`, context['runAsGroup'], 0, MOST);
  checkOneOf(errors, `${path}.procMount`, context['procMount'], ['Default', 'Unmasked']);
  checkSeccomp(errors, `${path}.seccompProfile`, context['seccompProfile']);
  if (context['allowPrivilegeEscalation'] !== false) return;
  if (context['privileged'] === true) {
    errors.push(invalidValue(path, context, 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true'));
  }
  if (context['capabilities']?.add?.includes('CAP_SYS_ADMIN')) {
    const why = 'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN';
    errors.push(invalidValue(path, context, why));
  }
}

export function checkPodSecurity(errors: Errors, path: string, context: Tree | undefined): void {
  if (context === undefined) return;
  checkRange(errors, `${path}.fsGroup`, context['fsGroup'], 0, MOST);
  checkRange(errors, `${path}.runAsUser`, context['runAsUser'], 0, MOST);
  checkRange(errors, `${path}.runAsGroup`, context['runAsGroup'], 0, MOST);
  for (const [index, group] of ((context['supplementalGroups'] ?? []) as number[]).entries()) {
    checkRange(errors, `${path}.supplementalGroups[${index}]`, group, 0, MOST);
  }
  checkSysctls(errors, `${path}.sysctls`, context);
  checkOneOf(errors, `${path}.fsGroupChangePolicy`, context['fsGroupChangePolicy'], ['Always', 'OnRootMismatch']);
  checkSeccomp(errors, `${path}.seccompProfile`, context['seccompProfile']);
}

function checkSysctls(errors: Errors, path: string, context: Tree): void {
  const seen = new Set<string>();
  for (const [index, { name = '' }] of listOf(context, 'sysctls').entries()) {
    const at = `${path}[${index}].name`;
    if (name === '') errors.push(requiredValue(at));
    else if (name.length > 253 || !sysctl.test(name)) {
      errors.push(invalidValue(at, name, `must have at most 253 characters and match regex ${SYSCTL}`));
    } else if (seen.has(name)) errors.push(duplicateValue(at, name));
    seen.add(name);
  }
}

function checkSeccomp(errors: Errors, path: string, profile: Tree | undefined): void {
  if (profile === undefined) return;
  const type = (profile['type'] ?? '') as string;
  if (type === 'Localhost' && profile['localhostProfile'] === undefined) {
    errors.push(requiredValue(`${path}.localhostProfile`, 'must be set when seccomp type is Localhost'));
  }
  if (type !== 'Localhost' && profile['localhostProfile'] !== undefined) {
    const why = 'can only be set when seccomp type is Localhost';
    const internal = { Type: type, LocalhostProfile: profile['localhostProfile'] };
    errors.push(invalidValue(`${path}.localhostProfile`, internal, why));
  }
  if (type === '') errors.push(requiredValue(`${path}.type`, 'type is required when seccompProfile is set'));
  else checkOneOf(errors, `${path}.type`, type, ['Localhost', 'RuntimeDefault', 'Unconfined']);
}
