import { parseConstraint, parseVersion } from '@capstan/gotemplate';

/** Whether a version is in a range. What is no range or no version is not: Helm gives no error here. */
export function isCompatible(range: string, version: string): boolean {
  try {
    return parseConstraint(range)(parseVersion(version));
  } catch {
    return false;
  }
}
