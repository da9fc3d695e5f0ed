/**
 * The roles and bindings of a new Kubernetes cluster that are ours too. To record them anew:
 *
 *     npx node packages/apiserver/src/authorization/record-default-policy.fixture.ts
 */
import { writeFileSync } from 'node:fs';
import { bearer, createHttpTransport, fixedCredentials } from '@capstan/kube';
import { startRealApiServer } from '../../../../e2e/real/apiserver.ts';
import type { Stored } from '../kind.ts';

/** Those that users and charts name. The others belong to programs of Kubernetes that do not run here. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  clusterroles: [
    ...['admin', 'cluster-admin', 'edit', 'view'],
    ...['system:aggregate-to-admin', 'system:aggregate-to-edit', 'system:aggregate-to-view'],
    ...['system:auth-delegator', 'system:basic-user', 'system:discovery', 'system:kube-scheduler', 'system:monitoring'],
    ...['system:persistent-volume-provisioner', 'system:public-info-viewer', 'system:service-account-issuer-discovery'],
    'system:volume-scheduler',
  ],
  clusterrolebindings: [
    ...['cluster-admin', 'system:basic-user', 'system:discovery', 'system:monitoring', 'system:public-info-viewer'],
    'system:service-account-issuer-discovery',
  ],
  'namespaces/kube-system/roles': ['extension-apiserver-authentication-reader'],
};

/** As they stand in `default-policy.gen.json`. */
export async function recordDefaultPolicy(): Promise<readonly object[]> {
  const server = await startRealApiServer();
  const transport = createHttpTransport({
    server: server.url,
    tls: { authority: Buffer.from(server.caData, 'base64').toString() },
    credentials: fixedCredentials({ authorization: bearer(server.token) }),
  });
  try {
    const found: object[] = [];
    for (const [path, names] of Object.entries(NAMES)) {
      for (const name of names) {
        const from = `/apis/rbac.authorization.k8s.io/v1/${path}/${encodeURIComponent(name)}`;
        const { body } = await transport.request({ method: 'GET', path: from });
        found.push(shortened(body as Stored));
      }
    }
    return found;
  } finally {
    await transport.close();
    await server.stop();
  }
}

/** Without what all of them have, and what a controller fills in. */
function shortened({ kind, metadata, rules, aggregationRule, subjects, roleRef }: Stored): object {
  const { 'kubernetes.io/bootstrapping': _all, ...labels } = metadata.labels ?? {};
  const shortest = {
    kind,
    name: metadata.name,
    namespace: metadata.namespace,
    labels: Object.keys(labels).length > 0 ? labels : undefined,
    ...(aggregationRule ? { aggregationRule } : { rules }),
    subjects,
    roleRef,
  };
  return JSON.parse(JSON.stringify(shortest)) as object;
}

export const RECORDING = new URL('./default-policy.gen.json', import.meta.url);

if (import.meta.main) {
  const recorded = await recordDefaultPolicy();
  writeFileSync(RECORDING, `[\n${recorded.map(one => JSON.stringify(one)).join(',\n')}\n]\n`);
  console.log(`${recorded.length} objects`);
}
