/**
 * Steps at which the embedded server is known to answer otherwise than a real one and should not: each is to be closed, or to
 * be moved to `accepted.ts` with a reason. No step may come in that is not here.
 */
const open: Readonly<Record<string, readonly string[]>> = {
  'crd-objects': ['a table of all', 'a table of one', 'a table without objects', 'an empty table'],
};

export const openSteps = (script: string): readonly string[] => open[script] ?? [];
