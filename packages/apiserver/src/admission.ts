/**
 * What the server itself insists on between decoding and validation, as the admission plugins that every Kubernetes runs: the
 * life cycle of namespaces, the priority and tolerations of Pods, protection of volumes in use.
 */
import { admitPod, admitPodUpdate } from './builtins/index.ts';
import { checkClaimResize } from './claim-resize.ts';
import type { Draft, Stored } from './kind.ts';
import { completePod, limitClaim, limitPod } from './limit-ranger.ts';
import { forbidden, notFound } from './status.ts';
import type { Admission, AdmissionOperation, WriteContext } from './write/context.ts';

const NAMESPACES = { group: '', plural: 'namespaces', kind: 'Namespace' };
const IMMORTAL: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

export const builtinAdmission: Admission = {
  admit(operation: AdmissionOperation, context: WriteContext): Draft {
    const { kind, namespace } = context;
    if (operation.type === 'DELETE' && kind.group === '' && kind.kind === 'Namespace') {
      const name = operation.old.metadata.name!;
      if (IMMORTAL.has(name)) throw forbidden(NAMESPACES, name, 'this namespace may not be deleted');
    }
    if (operation.type === 'CREATE') {
      if (namespace !== undefined) refuseWithoutNamespace(operation.object, context);
      if (context.subresource === '') complete(operation.object, context);
    }
    if (operation.type === 'UPDATE' && kind.group === '' && kind.kind === 'Pod' && context.subresource === '') {
      admitPodUpdate(operation.object, operation.old);
    }
    return operation.object;
  },
  validate(operation, context) {
    checkClaimResize(operation, context);
    if (operation.type === 'CREATE' && context.subresource === '') checkLimits(operation.object, context);
    return undefined;
  },
};

const PROTECTION: Readonly<Record<string, string>> = {
  PersistentVolumeClaim: 'kubernetes.io/pvc-protection',
  PersistentVolume: 'kubernetes.io/pv-protection',
};

/** Fields that a new object gets whoever creates it. */
function complete(object: Draft, { kind, store, namespace }: WriteContext): void {
  if (kind.group !== '') return;
  if (kind.kind === 'Pod') {
    admitPod(
      object,
      store.list('scheduling.k8s.io/priorityclasses', '').map(entry => entry.object),
    );
  }
  if (kind.kind === 'Pod') completePod(object, rangesOf(store, namespace));
  if (kind.kind === 'Node') taintUntilReady(object);
  const finalizer = PROTECTION[kind.kind];
  if (finalizer !== undefined && !object.metadata.finalizers?.includes(finalizer)) {
    object.metadata.finalizers = [...(object.metadata.finalizers ?? []), finalizer];
  }
}

function checkLimits(object: Draft, { kind, store, namespace }: WriteContext): void {
  if (kind.group !== '') return;
  if (kind.kind === 'Pod') limitPod(object, rangesOf(store, namespace), kind);
  if (kind.kind === 'PersistentVolumeClaim') limitClaim(object, rangesOf(store, namespace), kind);
}

const rangesOf = (store: WriteContext['store'], namespace: string | undefined): readonly Stored[] =>
  store.list('/limitranges', `${namespace}/`).map(entry => entry.object);

const NOT_READY = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

/** Nothing is to run on a new node before it was seen to be ready; whoever sees that takes the taint away. */
function taintUntilReady(node: Draft): void {
  const spec = (node['spec'] ??= {});
  const taints: readonly { key?: string; effect?: string }[] = spec.taints ?? [];
  if (taints.some(({ key, effect }) => key === NOT_READY.key && effect === NOT_READY.effect)) return;
  spec.taints = [...taints, { ...NOT_READY }];
}

function refuseWithoutNamespace(object: Draft, { store, kind, resource, namespace }: WriteContext): void {
  const found = store.head('/namespaces', namespace!);
  if (!found) throw notFound(NAMESPACES, namespace!);
  const { metadata, status } = found.object;
  if (!metadata.deletionTimestamp && status?.phase !== 'Terminating') return;
  throw forbidden(
    resource ?? kind,
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
