/**
 * The admission plugin ServiceAccount: a Pod acts as a ServiceAccount of its namespace, and finds that account's token, the
 * authority of the API server and its own namespace in a volume.
 */
import { sleep } from '@capstan/kube';
import type { Draft, Stored } from './kind.ts';
import { forbidden } from './status.ts';
import type { Admission, WriteContext } from './write/context.ts';
import { generateName } from './write/metadata.ts';

const DEFAULT = 'default';
const MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
const VOLUME_PREFIX = 'kube-api-access-';
/** An hour and a bit: by the odd number, tokens of this origin are told from those that someone asked for. */
const TOKEN_SECONDS = 3607;
const FILE_MODE = 0o644;
/** A namespace that was made a moment ago gets its account a moment later. */
const ATTEMPTS = 10;
const ATTEMPT_INTERVAL = 100;

/** `inner`, and the plugin after it. */
export function withServiceAccounts(inner: Admission): Admission {
  return {
    ...inner,
    admit(operation, context) {
      const { kind, subresource } = context;
      const isNewPod = operation.type === 'CREATE' && kind.group === '' && kind.kind === 'Pod' && subresource === '';
      const admitted = inner.admit(operation, context);
      if (!isNewPod) return admitted;
      return Promise.resolve(admitted).then(pod => admit(pod, context));
    },
  };
}

async function admit(pod: Draft, context: WriteContext): Promise<Draft> {
  const spec = pod['spec'];
  if (!spec.serviceAccountName) {
    spec.serviceAccountName = DEFAULT;
    spec.serviceAccount = DEFAULT;
  }
  const account = await find(spec.serviceAccountName, pod, context);
  if (spec.automountServiceAccountToken ?? account['automountServiceAccountToken'] ?? true) mountToken(spec, context);
  if (!(spec.imagePullSecrets?.length > 0) && account['imagePullSecrets']?.length > 0) {
    spec.imagePullSecrets = account['imagePullSecrets'].map(({ name }: { name: string }) => ({ name }));
  }
  return pod;
}

async function find(name: string, pod: Draft, { store, namespace, kind, clock }: WriteContext): Promise<Stored> {
  const attempts = name === DEFAULT ? ATTEMPTS : 1;
  for (let attempt = 1; ; attempt++) {
    const found = store.head('/serviceaccounts', `${namespace}/${name}`);
    if (found) return found.object;
    if (attempt >= attempts) break;
    await sleep(clock, ATTEMPT_INTERVAL);
  }
  const why = `error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`;
  throw forbidden(kind, pod.metadata.name ?? '', why);
}

interface MountingContainer {
  volumeMounts?: { readonly mountPath?: string }[];
}

/** Whoever mounts something at that path has a reason; a volume by such a name is taken as it is. */
function mountToken(spec: Draft['spec'], context: WriteContext): void {
  const volumes: { readonly name: string }[] = spec.volumes ?? [];
  const existing = volumes.find(({ name }) => name.startsWith(VOLUME_PREFIX));
  const name = existing?.name ?? generateName(VOLUME_PREFIX, context);
  const containers: MountingContainer[] = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  const without = containers.filter(
    ({ volumeMounts = [] }) => !volumeMounts.some(({ mountPath }) => mountPath === MOUNT_PATH),
  );
  for (const container of without) {
    const mount = { name, readOnly: true, mountPath: MOUNT_PATH };
    container.volumeMounts = [...(container.volumeMounts ?? []), mount];
  }
  if (existing === undefined && without.length > 0) spec.volumes = [...volumes, { name, projected: tokenSource() }];
}

const tokenSource = () => ({
  sources: [
    { serviceAccountToken: { expirationSeconds: TOKEN_SECONDS, path: 'token' } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    {
      downwardAPI: { items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }] },
    },
  ],
  defaultMode: FILE_MODE,
});
