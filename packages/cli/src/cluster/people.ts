/** Who the kubeconfig lets in: the administrator, and a viewer who may read everything but Secrets. */
import { ADMIN, hashToken, newToken, type TokenUser, type User } from '@capstan/apiserver';
import { type Client, clusterRoleBindings, isAlreadyExists } from '@capstan/kube';
import type { DataFolder } from './data-folder.ts';
import { tokensIn } from './kubeconfig.ts';
import { type KnownHashes, parseTokens, tokensText } from './tokens-file.ts';

export interface Person {
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
  /** Hashes of the tokens that were given out before a backup and are good again since it was restored. */
  readonly earlier: readonly string[];
}

/** The tokens of the last run's kubeconfig stay good; where that file is gone, so are they, and those of before a restore. */
export async function peopleOf(folder: DataFolder): Promise<readonly PersonWithToken[]> {
  const tokens = await tokensIn(folder.read('kubeconfig'));
  const known = parseTokens(folder.path, folder.read('tokens.json'));
  const people = PEOPLE.map((person): PersonWithToken => {
    const token = tokens.get(person.user.name);
    const { current, earlier } = known(person.id);
    if (token === undefined || hashToken(token) !== current) return { ...person, token: newToken(), earlier: [] };
    return { ...person, token, earlier };
  });
  folder.write('tokens.json', tokensText(people));
  return people;
}

/** Those of a restored cluster: every token that the backup knows is good, and the folder's kubeconfig has one of them, or a new one. */
export async function peopleAfterRestore(folder: DataFolder, backedUp: string): Promise<readonly PersonWithToken[]> {
  const tokens = await tokensIn(folder.read('kubeconfig'));
  const known = parseTokens('the backup', backedUp);
  return PEOPLE.map(person => {
    const hashes = allOf(known(person.id));
    const kept = tokens.get(person.user.name);
    const token = kept !== undefined && hashes.includes(hashToken(kept)) ? kept : newToken();
    return { ...person, token, earlier: hashes.filter(hash => hash !== hashToken(token)) };
  });
}

const allOf = ({ current, earlier }: KnownHashes): readonly string[] =>
  current === undefined ? earlier : [current, ...earlier];

export const tokenUsers = (people: readonly PersonWithToken[]): readonly TokenUser[] =>
  people.flatMap(({ token, earlier, user }) => [hashToken(token), ...earlier].map(hash => ({ hash, user })));

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
