/** Kubeconfigs that client-go was asked about; see `fixtures/oracle`. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type KubeconfigAnswer, oracle } from '../oracle.fixture.ts';
import { type ResolvedContext, resolveContext } from './context.ts';
import { loadKubeconfig } from './load.ts';
import { transportFromKubeconfig } from './transport.ts';

/** Where we differ on purpose: stricter where a mistake would show up later as something else, and texts stay texts. */
const DIFFERENT: Readonly<Record<string, 'refused' | 'accepted'>> = {
  'an unknown user': 'refused',
  'a bad namespace': 'refused',
  'a password of digits': 'accepted',
};

async function inFolder<T>(
  { files, order }: KubeconfigAnswer,
  act: (environment: { KUBECONFIG: string }, folder: string) => T,
) {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-oracle-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    return await act({ KUBECONFIG: order.map(name => join(folder, name)).join(delimiter) }, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function summary({ cluster, user, namespace }: ResolvedContext, folder: string): Partial<KubeconfigAnswer> {
  const local = (path: string | undefined): string | undefined => path?.replace(folder, '$DIR');
  const secure = cluster.server.startsWith('https:');
  const all = {
    server: cluster.server,
    namespace,
    token: secure ? user.token : undefined,
    tokenFile: local(user.tokenFile),
    username: user.username,
    password: user.password,
    caFile: local(cluster.authority?.path),
    certFile: local(user.certificate?.path),
    insecure: cluster.insecure || undefined,
    serverName: cluster.tlsServerName,
    impersonate: user.impersonate.user,
    groups: user.impersonate.groups.length === 0 ? undefined : user.impersonate.groups,
    extra: Object.keys(user.impersonate.extra).length === 0 ? undefined : user.impersonate.extra,
    execCommand: local(user.exec?.command),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

describe('kubeconfigs, as client-go reads them', () => {
  const isRefused = (answer: KubeconfigAnswer): boolean =>
    answer.name in DIFFERENT ? DIFFERENT[answer.name] === 'refused' : answer.refused === true;

  it.each(oracle.kubeconfigs.filter(isRefused))('$name: refused', async answer => {
    await inFolder(answer, async environment => {
      const opening = loadKubeconfig({ environment }).then(config =>
        transportFromKubeconfig(config, { context: answer.context, environment: {} }),
      );
      await expect(opening).rejects.toMatchObject({ name: 'KubeconfigError' });
    });
  });

  const accepted = oracle.kubeconfigs.filter(answer => !isRefused(answer) && !(answer.name in DIFFERENT));
  it.each(accepted)('$name: the same', async answer => {
    await inFolder(answer, async (environment, folder) => {
      const found = summary(resolveContext(await loadKubeconfig({ environment }), answer.context), folder);
      const { name: _, files: __, order: ___, context: ____, ...expected } = answer;
      // client-go has read the token file at this point; we read it when we connect.
      const late = expected.tokenFile !== undefined && found.token === undefined ? { token: expected.token } : {};
      expect({ ...found, ...late }).toEqual(expected);
    });
  });

  it('knows its own differences', () => {
    const names = oracle.kubeconfigs.map(({ name }) => name);
    for (const name of Object.keys(DIFFERENT)) expect(names).toContain(name);
  });
});
