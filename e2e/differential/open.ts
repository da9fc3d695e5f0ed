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
  'crd-objects': ['a table of all', 'a table of one', 'a table without objects', 'an empty table'],
  patches: [
    'makes a value of the wrong type',
    'changes the kind',
    'adds a field that there is not, strictly',
    'a merge of the wrong type',
    'a merge with an unknown field, strictly',
    'a merge of another apiVersion',
  ],
  defaults: [
    'a DaemonSet',
    'a Node',
    'an IngressClass',
    'a Pod in the limits of the range',
    'a Pod beyond the limits of the range',
  ],
  quantities: [
    'memory "100m"',
    'memory "1500m"',
    'memory "1e-1"',
    'memory "1.10"',
    'memory ".5"',
    'memory "1n"',
    'memory "1u"',
    'memory "0.1Ki"',
    'memory "1.0001Ki"',
    'memory 1.5',
    'memory 0.001',
  ],
  validation: ['ConfigMap: too large'],
  immutability: ['Service: its address', 'creates a role'],
};

export const openSteps = (script: string): readonly string[] => open[script] ?? [];
