/** Every namespace has a ServiceAccount `default`, for Pods that name none. */
import { done, type Manager } from '@capstan/controller';
import { isAlreadyExists, namespaces, serviceAccounts } from '@capstan/kube';
import type { BuiltinController } from '../builtin-controller.ts';
import { isActive, isNamespaceTerminating } from '../namespace/terminating.ts';

const DEFAULT = 'default';

export const serviceAccountController: BuiltinController = {
  name: 'serviceaccount',
  setup(manager: Manager): void {
    manager.controller({
      name: 'serviceaccount',
      for: namespaces,
      watches: [{ kind: serviceAccounts, map: ({ metadata }) => namespaceOf(metadata) }],
      async reconcile({ name: namespace }, { cache, client }) {
        if (!isActive(await cache.get(namespaces, { name: namespace }))) return done();
        const metadata = { namespace, name: DEFAULT };
        if ((await cache.get(serviceAccounts, metadata)) !== undefined) return done();
        try {
          await client.create(serviceAccounts, { metadata }, { retry: 'idempotent' });
        } catch (error) {
          if (!isAlreadyExists(error) && !isNamespaceTerminating(error)) throw error;
        }
        return done();
      },
    });
  },
};

const namespaceOf = ({ namespace, name }: { namespace?: string; name: string }) =>
  name === DEFAULT && namespace !== undefined ? [{ name: namespace }] : [];
