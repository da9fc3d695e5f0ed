/** What a kind may be called. */
import { validateDns1035Label } from '@capstan/kube';
import { type FieldError, indexPath, invalidValue } from '../field-error.ts';
import type { CrdNames } from './types.ts';

export function nameErrors(names: CrdNames, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const field of ['plural', 'singular'] as const) {
    const problems = names[field] ? validateDns1035Label(names[field]!) : [];
    if (problems.length > 0) errors.push(invalidValue(`${path}.${field}`, names[field], problems.join(',')));
  }
  for (const field of ['kind', 'listKind'] as const) {
    const problems = names[field] ? validateDns1035Label(names[field]!.toLowerCase()) : [];
    if (problems.length === 0) continue;
    const words = `may have mixed case, but should otherwise match: ${problems.join(',')}`;
    errors.push(invalidValue(`${path}.${field}`, names[field], words));
  }
  errors.push(...eachName(names.shortNames, `${path}.shortNames`));
  if (names.kind && names.kind === names.listKind) {
    errors.push(invalidValue(`${path}.listKind`, names.listKind, 'kind and listKind may not be the same'));
  }
  return [...errors, ...eachName(names.categories, `${path}.categories`)];
}

function eachName(names: readonly string[] = [], path: string): FieldError[] {
  return names.flatMap((name, index) => {
    const problems = validateDns1035Label(name);
    return problems.length === 0 ? [] : [invalidValue(indexPath(path, index), name, problems.join(','))];
  });
}
