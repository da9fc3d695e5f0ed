/** Who the kubeconfig lets in: the administrator, and a viewer who may read everything but Secrets. */
import { ADMIN, hashToken, newToken, type TokenUser, type User } from '@capstan/apiserver';
import { type Client, clusterRoleBindings, isAlreadyExists } from '@capstan/kube';
import type { DataFolder } from './data-folder.ts';

interface Person {
  /** In `tokens.json`. */
  readonly id: string;
  readonly user: User;
  /** In the kubeconfig. */
  readonly context: string;
}

const VIEWER: Person = { id: 'viewer', user: { name: 'capstan-viewer', groups: [] }, context: 'viewer' };
/** The first one's context is the one in use. */
const PEOPLE: readonly Person[] = [{ id: 'admin', user: ADMIN, context: 'capstan' }, VIEWER];

export interface PersonWithToken extends Person {
  /** In clear: for the kubeconfig, which is the only place that has it. */
  readonly token: string;
}

/** The tokens of the last run's kubeconfig stay good; where that file is gone, so are they. */
export function peopleOf(folder: DataFolder): readonly PersonWithToken[] {
  const tokens = tokensIn(folder.read('kubeconfig'));
  const hashes = parsed(folder.read('tokens.json')) as Record<string, unknown>;
  const people = PEOPLE.map(person => {
    const token = tokens.get(person.user.name);
    const isKnown = token !== undefined && hashes[person.id] === hashToken(token);
    return { ...person, token: isKnown ? token : newToken() };
  });
  const all = Object.fromEntries(people.map(({ id, token }) => [id, hashToken(token)]));
  folder.write('tokens.json', `${JSON.stringify(all)}\n`);
  return people;
}

export const tokenUsers = (people: readonly PersonWithToken[]): readonly TokenUser[] =>
  people.map(({ token, user }) => ({ hash: hashToken(token), user }));

function tokensIn(kubeconfig: string | undefined): ReadonlyMap<string, string> {
  const { users = [] } = parsed(kubeconfig) as { users?: readonly { name?: string; user?: { token?: string } }[] };
  return new Map(
    users.flatMap(({ name, user }) => (name && typeof user?.token === 'string' ? [[name, user.token] as const] : [])),
  );
}

/** Edited by hand into something else, or not there: then new ones are made. */
function parsed(text: string | undefined): object {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** A viewer is one by a binding, as in any cluster. Written where it is missing; one that was changed stays as it is. */
export async function bindViewer(client: Client): Promise<void> {
  const apiGroup = 'rbac.authorization.k8s.io';
  const binding = {
    apiVersion: `${apiGroup}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: VIEWER.user.name },
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'view' },
    subjects: [{ kind: 'User', apiGroup, name: VIEWER.user.name }],
  } as const;
  await client.create(clusterRoleBindings, binding).catch(error => {
    if (!isAlreadyExists(error)) throw error;
  });
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
