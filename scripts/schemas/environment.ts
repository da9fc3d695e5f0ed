/** A variable without which the script cannot go on; says so. */
export function requiredVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`set ${name} (see the comment at the top of this script)`);
  return value;
}
