/** The authority that signs the server's certificate, and the administrator's token: made once, kept in the data folder. */
import { ADMIN, hashToken, newToken, type TokenUser } from '@capstan/apiserver';
import { type Authority, createAuthority, loadAuthority } from '@capstan/kube';
import type { DataFolder } from './data-folder.ts';

export function authorityOf(folder: DataFolder): Authority {
  const certificate = folder.read('ca.crt');
  const key = folder.read('ca.key');
  if (certificate !== undefined && key !== undefined) return loadAuthority({ certificate, key });
  const authority = createAuthority({ commonName: 'capstan' });
  folder.write('ca.key', authority.key);
  folder.write('ca.crt', authority.certificate);
  return authority;
}

export interface AdminAccess {
  readonly users: readonly TokenUser[];
  /** In clear: for the kubeconfig, which is the only place that has it. */
  readonly token: string;
}

/** The token of the last run's kubeconfig stays good; where that file is gone, so is the token. */
export function adminAccess(folder: DataFolder): AdminAccess {
  const token = tokenIn(folder.read('kubeconfig'));
  const hash = folder.read('tokens.json');
  if (token !== undefined && hash !== undefined && JSON.parse(hash).admin === hashToken(token)) {
    return { token, users: [{ hash: hashToken(token), user: ADMIN }] };
  }
  const fresh = newToken();
  folder.write('tokens.json', `${JSON.stringify({ admin: hashToken(fresh) })}\n`);
  return { token: fresh, users: [{ hash: hashToken(fresh), user: ADMIN }] };
}

function tokenIn(kubeconfig: string | undefined): string | undefined {
  try {
    return JSON.parse(kubeconfig ?? '').users[0].user.token;
  } catch {
    return undefined; // edited by hand, or not there: a new one is made
  }
}

/** JSON is YAML: kubectl and every client read it. */
export function kubeconfigText(url: string, caCertificate: string, token: string): string {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'capstan',
    clusters: [
      {
        name: 'capstan',
        cluster: { server: url, 'certificate-authority-data': Buffer.from(caCertificate).toString('base64') },
      },
    ],
    users: [{ name: 'capstan-admin', user: { token } }],
    contexts: [{ name: 'capstan', context: { cluster: 'capstan', user: 'capstan-admin', namespace: 'default' } }],
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}
