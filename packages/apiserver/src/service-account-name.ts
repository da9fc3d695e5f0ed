/** What a ServiceAccount is called as a user and which groups it belongs to. */
const PREFIX = 'system:serviceaccount:';

export const serviceAccountUserName = (namespace: string, name: string): string => `${PREFIX}${namespace}:${name}`;

export const serviceAccountGroups = (namespace: string): readonly string[] => [
  'system:serviceaccounts',
  `system:serviceaccounts:${namespace}`,
];
