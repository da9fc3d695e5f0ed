/** Requests to a running cluster as a client makes them: by its kubeconfig, over HTTPS. */
import { readFileSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';

export interface Asked {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says, for tests to look into
  readonly body: any;
}

export type Ask = (method: string, path: string, body?: object) => Promise<Asked>;

/** Asks as a user of the kubeconfig: the first is the administrator. The file is read now, so it may change or go afterwards. */
export function askBy(kubeconfig: string, user = 0, url?: string): Ask {
  const config = JSON.parse(readFileSync(kubeconfig, 'utf8'));
  const { server, 'certificate-authority-data': authority } = config.clusters[0].cluster;
  const { token } = config.users[user].user;
  return (method, path, body) =>
    new Promise((resolve, reject) => {
      const outgoing = httpsRequest(
        `${url ?? server}${path}`,
        {
          method,
          ca: Buffer.from(authority, 'base64'),
          agent: false,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        },
        incoming => {
          let text = '';
          incoming.setEncoding('utf8');
          incoming.on('data', chunk => {
            text += chunk;
          });
          incoming.on('end', () => resolve({ status: incoming.statusCode!, body: parsed(text) }));
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body && JSON.stringify(body));
    });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
