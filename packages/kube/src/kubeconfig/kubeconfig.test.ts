import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { KubeConfig as OfficialKubeConfig } from '@kubernetes/client-node';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { resolveContext } from './context.ts';
import type { Kubeconfig } from './document.ts';
import { kubeconfigFiles, loadKubeconfig, mergeKubeconfigs, reason } from './load.ts';
import { parseKubeconfig } from './parse.ts';

const folder = mkdtempSync(join(tmpdir(), 'capstan-kubeconfig-'));
afterAll(() => rmSync(folder, { recursive: true }));
const write = (name: string, text: string): string => {
  const file = join(folder, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
  return file;
};

const small = `
apiVersion: v1
kind: Config
current-context: dev
contexts:
- {name: dev, context: {cluster: home, user: jane, namespace: team}}
- {name: prod, context: {cluster: far, user: jane}}
clusters:
- {name: home, cluster: {server: https://127.0.0.1:6443}}
- {name: far, cluster: {server: https://far.example.com}}
users:
- {name: jane, user: {token: "123"}}
`;
const withUser = (user: string): string => small.replace('{token: "123"}', user);
const withCluster = (cluster: string): string => small.replace('{server: https://127.0.0.1:6443}', cluster);
const resolved = async (text: string, context?: string) => resolveContext(await parseKubeconfig(text), context);

describe('reading a kubeconfig', () => {
  it('finds the current context and what it refers to', async () => {
    expect(await resolved(small)).toMatchObject({
      name: 'dev',
      clusterName: 'home',
      cluster: { server: 'https://127.0.0.1:6443', insecure: false },
      userName: 'jane',
      user: { token: '123' },
      namespace: 'team',
    });
    expect(await resolved(small, 'prod')).toMatchObject({ clusterName: 'far', namespace: 'default' });
  });

  it('takes texts as texts, even if they look like numbers or truths', async () => {
    const config = await parseKubeconfig(withUser('{username: true, password: 0123}'));
    expect(config.users['jane']).toMatchObject({ username: 'true', password: '0123' });
  });

  it('reads JSON, empty files and files with nothing set', async () => {
    expect((await parseKubeconfig('{"current-context":"a","users":null}')).currentContext).toBe('a');
    expect(await parseKubeconfig('')).toEqual({ currentContext: undefined, contexts: {}, clusters: {}, users: {} });
    expect((await parseKubeconfig('clusters: null\ncurrent-context: ""')).currentContext).toBeUndefined();
  });

  it('resolves paths against the file that names them', async () => {
    const file = write(
      'deep/down/config',
      withCluster('{server: https://a, certificate-authority: ca.pem}').replace(
        '{token: "123"}',
        '{client-certificate: ../c.pem, client-key: /abs/k.pem, tokenFile: t, exec: {apiVersion: x, command: ./bin/login}}',
      ),
    );
    const config = await loadKubeconfig({ path: file });
    expect(config.clusters['home']!.authority!.path).toBe(join(folder, 'deep/down/ca.pem'));
    expect(config.users['jane']).toMatchObject({
      certificate: { path: join(folder, 'deep/c.pem') },
      key: { path: '/abs/k.pem' },
      tokenFile: join(folder, 'deep/down/t'),
      exec: { command: join(folder, 'deep/down/bin/login') },
    });
  });

  it('keeps what a cluster says to plugins as it is', async () => {
    const extension = '[{name: client.authentication.k8s.io/exec, extension: {audience: 7, deep: {on: true}}}]';
    const config = await parseKubeconfig(withCluster(`{server: https://a, extensions: ${extension}}`));
    expect(config.clusters['home']!.execConfig).toEqual({ audience: 7, deep: { on: true } });
  });
});

describe('finding the files', () => {
  it('goes by the named file, then KUBECONFIG, then the home folder', () => {
    const environment = { KUBECONFIG: ['/a', '', '/b', '/a'].join(delimiter), HOME: '/home/jane' };
    expect(kubeconfigFiles({ path: '/c', environment })).toEqual(['/c']);
    expect(kubeconfigFiles({ environment })).toEqual(['/a', '/b']);
    expect(kubeconfigFiles({ environment: { HOME: '/home/jane' } })).toEqual(['/home/jane/.kube/config']);
  });

  it('merges the files of KUBECONFIG, the first winning, and passes over missing ones', async () => {
    const first = write('first', 'users: [{name: jane, user: {username: a, password: b}}]');
    const second = write('second', small);
    const KUBECONFIG = [join(folder, 'missing'), first, second].join(delimiter);
    const config = await loadKubeconfig({ environment: { KUBECONFIG } });
    expect(config.currentContext).toBe('dev');
    // Nothing of the second file's jane is mixed in.
    expect(config.users['jane']).toMatchObject({ username: 'a', token: undefined, file: first });
  });

  it('agrees with the official client on what it reads right', async () => {
    const file = write('oracle', small);
    const official = new OfficialKubeConfig();
    official.loadFromFile(file);
    const ours = await loadKubeconfig({ path: file });
    expect(Object.keys(ours.contexts)).toEqual(official.getContexts().map(context => context.name));
    expect(ours.currentContext).toBe(official.getCurrentContext());
    for (const { name, server } of official.getClusters()) expect(ours.clusters[name]!.server).toBe(server);
    for (const { name, token } of official.getUsers()) expect(ours.users[name]!.token).toBe(token);
  });

  const name = fc.constantFrom('a', 'b', 'c');
  const part: fc.Arbitrary<Kubeconfig> = fc.record({
    currentContext: fc.option(name, { nil: undefined }),
    contexts: fc.dictionary(
      name,
      fc.record({ cluster: name, user: name, namespace: name, file: fc.constantFrom('1', '2') }),
    ),
    clusters: fc.constant({}),
    users: fc.constant({}),
  });

  it('gives each name to the first file that has it, however the merging is grouped', () => {
    fc.assert(
      fc.property(part, part, part, (x, y, z) => {
        const merged = mergeKubeconfigs([x, y, z]);
        expect(mergeKubeconfigs([mergeKubeconfigs([x, y]), z])).toEqual(merged);
        expect(mergeKubeconfigs([x, mergeKubeconfigs([y, z])])).toEqual(merged);
        expect(mergeKubeconfigs([x, x])).toEqual(x);
        for (const each of ['a', 'b', 'c']) {
          const owner = [x, y, z].find(config => Object.hasOwn(config.contexts, each));
          expect(merged.contexts[each]).toEqual(owner?.contexts[each]);
        }
      }),
    );
  });
});

describe('a kubeconfig that is wrong', () => {
  it('is missing', async () => {
    const path = join(folder, 'nowhere');
    await expect(loadKubeconfig({ path })).rejects.toMatchObject({
      code: 'KUBECONFIG_MISSING',
      file: path,
      message: `no kubeconfig: ${path} does not exist`,
    });
    await expect(loadKubeconfig({ environment: { HOME: folder } })).rejects.toThrow('set KUBECONFIG or name a file');
  });

  it('cannot be read', async () => {
    await expect(loadKubeconfig({ path: folder })).rejects.toMatchObject({
      code: 'KUBECONFIG_UNREADABLE',
      message: `the kubeconfig ${folder} cannot be read: it is a directory`,
    });
  });

  it('may not be read', async () => {
    // Not tried on a file: to the administrator, as whom tests may run, no file is closed.
    expect(reason(Object.assign(new Error('EACCES: x'), { code: 'EACCES' }))).toBe('permission denied');
    symlinkSync(join(folder, 'loop'), join(folder, 'loop'));
    await expect(loadKubeconfig({ path: join(folder, 'loop') })).rejects.toMatchObject({
      code: 'KUBECONFIG_UNREADABLE',
    });
  });

  it('is not YAML', async () => {
    const path = write('bad.yaml', 'apiVersion: v1\nusers:\n- name: [a\n');
    await expect(loadKubeconfig({ path })).rejects.toMatchObject({
      code: 'KUBECONFIG_BAD_YAML',
      file: path,
      message: expect.stringMatching(/bad\.yaml, line \d, column \d+: /),
    });
  });

  it.each([
    ['just text', 'the document has to be a mapping'],
    ['contexts: 5', 'contexts has to be a list'],
    ['contexts: [5]', 'contexts[0] has to be a mapping'],
    ['users: [{name: a}, {name: a}]', 'users ("a") has to be there once only'],
    ['contexts: [{context: {}}]', 'contexts[0].name has to be there and not empty'],
    ['users: [{name: a, user: {token: [1]}}]', 'users[0].user.token has to be a text'],
    ['users: [{name: a, user: {as-groups: x}}]', 'users[0].user.as-groups has to be a list'],
    [
      'clusters: [{name: a, cluster: {insecure-skip-tls-verify: 7}}]',
      'insecure-skip-tls-verify has to be true or false',
    ],
  ])('has a field of the wrong type: %s', async (text, message) => {
    await expect(parseKubeconfig(text)).rejects.toMatchObject({
      code: 'KUBECONFIG_BAD_FIELD',
      message: expect.stringContaining(message),
    });
  });

  it.each<[string, string, string | undefined, string, string]>([
    [
      'no context',
      small.replace('current-context: dev', ''),
      undefined,
      'KUBECONFIG_NO_CONTEXT',
      'no current-context; contexts: dev, prod',
    ],
    [
      'an unknown context',
      small,
      'test',
      'KUBECONFIG_UNKNOWN_CONTEXT',
      'there is no context "test"; contexts: dev, prod',
    ],
    [
      'a context by a name of JavaScript',
      small,
      'toString',
      'KUBECONFIG_UNKNOWN_CONTEXT',
      'there is no context "toString"',
    ],
    [
      'an unknown cluster',
      small.replace('cluster: home', 'cluster: x'),
      undefined,
      'KUBECONFIG_UNKNOWN_CLUSTER',
      'the context "dev" refers to the cluster "x", which does not exist; clusters: far, home',
    ],
    [
      'an unknown user',
      small.replace('user: jane, namespace', 'user: x, namespace'),
      undefined,
      'KUBECONFIG_UNKNOWN_USER',
      'users: jane',
    ],
    [
      'no cluster',
      small.replace('cluster: home, ', ''),
      undefined,
      'KUBECONFIG_BAD_FIELD',
      'the context "dev" names no cluster',
    ],
    [
      'a bad namespace',
      small.replace('namespace: team', 'namespace: Team_1'),
      undefined,
      'KUBECONFIG_BAD_FIELD',
      'namespace "Team_1"',
    ],
    ['no server', withCluster('{}'), undefined, 'KUBECONFIG_BAD_FIELD', 'the cluster "home" has no server'],
    ['an odd server', withCluster('{server: ftp://x}'), undefined, 'KUBECONFIG_BAD_FIELD', 'not an http(s) address'],
    [
      'an odd proxy',
      withCluster('{server: https://x, proxy-url: ftp://y}'),
      undefined,
      'KUBECONFIG_BAD_FIELD',
      'proxy-url',
    ],
    [
      'trust and distrust',
      withCluster('{server: https://x, insecure-skip-tls-verify: true, certificate-authority: y}'),
      undefined,
      'KUBECONFIG_CONFLICT',
      'insecure-skip-tls-verify',
    ],
    [
      'two authorities',
      withCluster('{server: https://x, certificate-authority-data: eA==, certificate-authority: y}'),
      undefined,
      'KUBECONFIG_CONFLICT',
      'certificate-authority-data',
    ],
    [
      'an auth-provider',
      withUser('{auth-provider: {name: gcp}}'),
      undefined,
      'KUBECONFIG_AUTH_PROVIDER',
      'the user "jane" has the auth-provider "gcp"',
    ],
    [
      'a token and a password',
      withUser('{token: a, password: b}'),
      undefined,
      'KUBECONFIG_CONFLICT',
      'both a token and a username or password',
    ],
    [
      'a token of two lines',
      withUser('{token: "a\\nb"}'),
      undefined,
      'KUBECONFIG_BAD_FIELD',
      'the user "jane" has a token with a line break',
    ],
    [
      'a certificate without a key',
      withUser('{client-certificate: c}'),
      undefined,
      'KUBECONFIG_BAD_FIELD',
      'client-certificate but no client-key',
    ],
    ['groups of nobody', withUser('{as-groups: [a]}'), undefined, 'KUBECONFIG_BAD_FIELD', 'without as'],
    [
      'a plugin without command',
      withUser('{exec: {apiVersion: client.authentication.k8s.io/v1}}'),
      undefined,
      'KUBECONFIG_EXEC_INVALID',
      'without a command',
    ],
    [
      'a plugin of old',
      withUser('{exec: {apiVersion: client.authentication.k8s.io/v1alpha1, command: x}}'),
      undefined,
      'KUBECONFIG_EXEC_INVALID',
      'v1alpha1"; supported: client.authentication.k8s.io/v1,',
    ],
    [
      'a plugin without mode',
      withUser('{exec: {apiVersion: client.authentication.k8s.io/v1, command: x}}'),
      undefined,
      'KUBECONFIG_EXEC_INVALID',
      'without an interactiveMode',
    ],
  ])('has %s', async (_, text, context, code, message) => {
    await expect(resolved(text, context)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it('spoils only the context that is wrong', async () => {
    const text =
      withUser('{auth-provider: {name: gcp}}').replace('user: jane}}\ncl', 'user: joe}}\ncl') +
      '- {name: joe, user: {token: t}}\n';
    expect(await resolved(text, 'prod')).toMatchObject({ userName: 'joe' });
  });

  it('assumes https where the address does not say and a certificate authority is given', async () => {
    expect((await resolved(withCluster('{server: "host:6443", certificate-authority: x}'))).cluster.server).toBe(
      'https://host:6443',
    );
    expect((await resolved(withCluster('{server: "host:8080"}'))).cluster.server).toBe('http://host:8080');
  });
});
