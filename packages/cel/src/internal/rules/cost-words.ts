/** What Kubernetes says of a rule, or of all rules together, over budget. */
export function overBudget(what: string, cost: number, limit: number): string {
  const remedy =
    'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return `${what} exceeds budget by factor of ${factor(cost / limit)} (${remedy})`;
}

/** Beyond a hundred the figure says nothing more; just above one it needs all its digits to differ from one. */
function factor(exceeded: number): string {
  if (exceeded > 100) return 'more than 100x';
  return exceeded < 1.5 ? `${exceeded.toFixed(6)}x` : `${exceeded.toFixed(1)}x`;
}
