/** What the server itself insists on between decoding and validation: the life cycle of namespaces. */
import type { Draft } from './kind.ts';
import { forbidden, notFound } from './status.ts';
import type { Admission, AdmissionOperation, WriteContext } from './write/context.ts';

const NAMESPACES = { group: '', plural: 'namespaces', kind: 'Namespace' };
const IMMORTAL: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

export const namespaceLifecycle: Admission = {
  admit(operation: AdmissionOperation, context: WriteContext): Draft {
    const { kind, namespace } = context;
    if (operation.type === 'DELETE' && kind.group === '' && kind.kind === 'Namespace') {
      const name = operation.old.metadata.name!;
      if (IMMORTAL.has(name)) throw forbidden(NAMESPACES, name, 'this namespace may not be deleted');
    }
    if (operation.type === 'CREATE' && namespace !== undefined) refuseWithoutNamespace(operation.object, context);
    return operation.object;
  },
};

function refuseWithoutNamespace(object: Draft, { store, kind, namespace }: WriteContext): void {
  const found = store.head('/namespaces', namespace!);
  if (!found) throw notFound(NAMESPACES, namespace!);
  const { metadata, status } = found.object;
  if (!metadata.deletionTimestamp && status?.phase !== 'Terminating') return;
  throw forbidden(
    kind,
    object.metadata.name ?? '',
    `unable to create new content in namespace ${namespace} because it is being terminated`,
    [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  );
}
