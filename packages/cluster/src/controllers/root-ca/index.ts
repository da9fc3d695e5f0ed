/** Every namespace has a ConfigMap with the certificate of the authority that vouches for the API server: Pods check it by that. */
import { done, type Manager } from '@capstan/controller';
import { configMaps, deepEqual, isAlreadyExists, namespaces } from '@capstan/kube';
import type { BuiltinController } from '../builtin-controller.ts';
import { isActive, isNamespaceTerminating } from '../namespace/terminating.ts';

const NAME = 'kube-root-ca.crt';
const DESCRIPTION =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

/** `certificate` is PEM. */
export function rootCaController(certificate: string): BuiltinController {
  const data = { 'ca.crt': certificate };
  const annotations = { 'kubernetes.io/description': DESCRIPTION };
  return {
    name: 'root-ca',
    setup(manager: Manager): void {
      manager.controller({
        name: 'root-ca',
        for: namespaces,
        watches: [{ kind: configMaps, map: ({ metadata }) => namespaceOf(metadata) }],
        async reconcile({ name: namespace }, { cache, client }) {
          if (!isActive(await cache.get(namespaces, { name: namespace }))) return done();
          const existing = await cache.get(configMaps, { namespace, name: NAME });
          try {
            if (existing === undefined) {
              const metadata = { namespace, name: NAME, annotations };
              await client.create(configMaps, { metadata, data }, { retry: 'idempotent' });
            } else if (!deepEqual(existing.data, data)) {
              await client.update(configMaps, { ...existing, data });
            }
          } catch (error) {
            if (!isAlreadyExists(error) && !isNamespaceTerminating(error)) throw error;
          }
          return done();
        },
      });
    },
  };
}

const namespaceOf = ({ namespace, name }: { namespace?: string; name: string }) =>
  name === NAME && namespace !== undefined ? [{ name: namespace }] : [];
