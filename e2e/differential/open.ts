/**
 * Steps at which the embedded server is known to answer otherwise than a real one and should not: each is to be closed, or to
 * be moved to `accepted.ts` with a reason. No step may come in that is not here.
 */
const open: Readonly<Record<string, readonly string[]>> = {
  'apply-kinds': [
    'Pod: bob adds to it',
    'Pod: bob adds to it by force',
    'Pod: alice applies something else',
    'Node: alice creates it',
    'Node: bob adds to it',
    'Node: bob adds to it by force',
  ],
  updates: [
    'Pod: writes the same again',
    'Pod: changes it',
    'Pod: labels it',
    'Pod: a status through the main door',
    'Pod: a status through its own door',
    'Pod: removes it',
    'LimitRange: creates the least',
    'LimitRange: writes the same again',
    'LimitRange: changes it',
    'LimitRange: labels it',
    'Endpoints: removes it',
    'EndpointSlice: creates the least',
    'EndpointSlice: writes the same again',
  ],
  'crd-objects': ['a table of all', 'a table of one', 'a table without objects', 'an empty table'],
  defaults: ['a Node', 'a Pod in the limits of the range', 'a Pod beyond the limits of the range'],
  immutability: ['creates a role'],
};

export const openSteps = (script: string): readonly string[] => open[script] ?? [];
