import type { RoleBinding } from '@capstan/kube';
import { AGE, type Column, NAME, type Printer } from './printer.ts';

export const roleBindingPrinter = bindingPrinter(
  'roleBinding',
  'roleRef can reference a Role in the current namespace or a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the Authorizer must return an error.',
);

export const clusterRoleBindingPrinter = bindingPrinter(
  'clusterRoleBinding',
  'roleRef can only reference a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the Authorizer must return an error.',
);

function bindingPrinter(kind: string, role: string): Printer<RoleBinding> {
  return {
    columns: [
      NAME,
      { name: 'Role', description: role, cell: ({ roleRef }) => `${roleRef?.kind ?? ''}/${roleRef?.name ?? ''}` },
      AGE,
      subjects(kind, 'Users', 'User'),
      subjects(kind, 'Groups', 'Group'),
      subjects(kind, 'ServiceAccounts', 'ServiceAccount'),
    ],
  };
}

function subjects(binding: string, name: string, kind: string): Column<RoleBinding> {
  return {
    name,
    wide: true,
    description: `${name} in the ${binding}`,
    cell: ({ subjects: all = [] }) =>
      all
        .filter(subject => subject.kind === kind)
        .map(subject => (kind === 'ServiceAccount' ? `${subject.namespace ?? ''}/${subject.name}` : subject.name))
        .join(', '),
  };
}
