/** The kubeconfig in the data folder: how to reach the cluster, and the tokens of those who may. */
import { parseKubeconfig } from '@capstan/kube';
import type { PersonWithToken } from './people.ts';

/** The tokens by the names of their users. kubectl turns the file into YAML as soon as it changes anything in it. */
export async function tokensIn(kubeconfig: string | undefined): Promise<ReadonlyMap<string, string>> {
  if (kubeconfig === undefined) return new Map();
  try {
    return new Map(usersIn(JSON.parse(kubeconfig)));
  } catch {
    return yamlTokens(kubeconfig);
  }
}

function usersIn({ users = [] }: { users?: readonly { name?: string; user?: { token?: string } }[] }) {
  return users.flatMap(({ name, user }) =>
    name && typeof user?.token === 'string' ? [[name, user.token] as const] : [],
  );
}

/** Edited by hand into something else: then new ones are made. */
async function yamlTokens(text: string): Promise<ReadonlyMap<string, string>> {
  try {
    const { users } = await parseKubeconfig(text);
    const tokens = new Map<string, string>();
    for (const [name, user] of Object.entries(users)) {
      if (typeof user.token === 'string') tokens.set(name, user.token);
    }
    return tokens;
  } catch {
    return new Map();
  }
}

/** JSON is YAML: kubectl and every client read it. */
export function kubeconfigText(url: string, caCertificate: string, people: readonly PersonWithToken[]): string {
  const cluster = { server: url, 'certificate-authority-data': Buffer.from(caCertificate).toString('base64') };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': people[0]!.context,
    clusters: [{ name: 'capstan', cluster }],
    users: people.map(({ user, token }) => ({ name: user.name, user: { token } })),
    contexts: people.map(({ context, user }) => ({
      name: context,
      context: { cluster: 'capstan', user: user.name, namespace: 'default' },
    })),
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}
