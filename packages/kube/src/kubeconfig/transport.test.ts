import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../clock.ts';
import { json, type ScriptedServer, scriptedServer } from '../http/scripted-server.fixture.ts';
import type { Transport } from '../transport.ts';
import { createAuthority } from '../x509/authority.ts';
import type { KubeconfigUser } from './document.ts';
import { inClusterNamespace, inClusterTransport, isInCluster } from './in-cluster.ts';
import { parseKubeconfig } from './parse.ts';
import { type KubeconfigTransportOptions, transportFromKubeconfig } from './transport.ts';

const authority = createAuthority({ commonName: 'test-ca' });
const client = authority.issue({ commonName: 'jane', organizations: ['devs'] });
const folder = mkdtempSync(join(tmpdir(), 'capstan-transport-'));
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

let server: ScriptedServer;
let seenCertificate: string | undefined;
/** The tokens that the server takes; all of them if not set. */
let accepted: string[] | undefined;
beforeAll(async () => {
  const own = authority.issue({ commonName: 'server', ipAddresses: ['127.0.0.1'], dnsNames: ['kubernetes'] });
  server = await scriptedServer(
    (response, request) => {
      seenCertificate = (request.socket as TLSSocket).getPeerCertificate().subject?.CN?.toString();
      const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
      json(response, accepted === undefined || accepted.includes(token) ? 200 : 401, {});
    },
    { cert: own.certificate, key: own.key, ca: authority.certificate, requestCert: true, rejectUnauthorized: false },
  );
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const opened: Transport[] = [];
afterEach(async () => {
  accepted = undefined;
  server.asked.length = 0;
  for (const transport of opened.splice(0)) await transport.close();
});

const trusted = (): string => `certificate-authority-data: ${base64(authority.certificate)}`;
async function open(user: string, options: KubeconfigTransportOptions = {}, cluster = trusted()): Promise<Transport> {
  const text = `
current-context: c
contexts: [{name: c, context: {cluster: home, user: jane}}]
clusters: [{name: home, cluster: {server: "${server.url}", ${cluster}}}]
users: [{name: jane, user: ${user}}]`;
  const config = await parseKubeconfig(text, join(folder, 'config'));
  const transport = await transportFromKubeconfig(config, { environment: {}, ...options });
  opened.push(transport);
  return transport;
}
const get = { method: 'GET', path: '/api' } as const;
const sent = (): string[] => server.asked.map(each => each.headers['authorization']?.[0] ?? '');

describe('a transport from a kubeconfig', () => {
  it.each<[string, string, string]>([
    ['a token', '{token: abc}', 'Bearer abc'],
    ['a name and a password', '{username: jane, password: "p:w"}', `Basic ${base64('jane:p:w')}`],
    ['nothing', '{}', ''],
  ])('authenticates with %s', async (_, user, expected) => {
    await (await open(user)).request(get);
    expect(sent()).toEqual([expected]);
  });

  it('authenticates with a certificate, from data and from files', async () => {
    const data = `{client-certificate-data: ${base64(client.certificate)}, client-key-data: ${base64(client.key)}}`;
    await (await open(data)).request(get);
    expect(seenCertificate).toBe('jane');
    file('client.pem', client.certificate);
    file('client.key', client.key);
    await (await open('{client-certificate: client.pem, client-key: client.key}')).request(get);
    expect(seenCertificate).toBe('jane');
  });

  it('uses a renewed certificate for new connections', async () => {
    file('rotating.pem', client.certificate);
    file('rotating.key', client.key);
    let now = 0;
    const clock: Clock = { ...systemClock, monotonic: () => now };
    const transport = await open('{client-certificate: rotating.pem, client-key: rotating.key}', { clock });
    await transport.request(get);
    const next = authority.issue({ commonName: 'jane-2' });
    file('rotating.pem', next.certificate);
    file('rotating.key', next.key);
    now += 61_000;
    await transport.request(get);
    expect(seenCertificate).toBe('jane-2');
  });

  it('reads a token file again after a minute, and at once when the token is refused', async () => {
    file('token', 'one\n');
    let now = 0;
    const clock: Clock = { ...systemClock, monotonic: () => now };
    const transport = await open('{tokenFile: token, token: ignored}', { clock });
    await transport.request(get);
    file('token', 'two');
    await transport.request(get);
    now += 60_000;
    await transport.request(get);
    expect(sent()).toEqual(['Bearer one', 'Bearer one', 'Bearer two']);

    file('token', 'three');
    accepted = ['three'];
    expect((await transport.request(get)).status).toBe(200);
    accepted = ['four'];
    expect((await transport.request(get)).status).toBe(401);

    rmSync(join(folder, 'token'));
    now += 60_000;
    accepted = undefined;
    await transport.request(get);
    expect(sent().at(-1)).toBe('Bearer three');
  });

  it('impersonates', async () => {
    await (await open('{token: t, as: boss, as-uid: "7", as-groups: [a, b], as-user-extra: {scope: [x]}}')).request(
      get,
    );
    expect(server.asked[0]!.headers).toMatchObject({
      'impersonate-user': ['boss'],
      'impersonate-uid': ['7'],
      'impersonate-group': ['a', 'b'],
      'impersonate-extra-scope': ['x'],
    });
  });

  it('trusts nobody who is not vouched for, and goes by tls-server-name', async () => {
    const distrust = await open('{}', {}, 'tls-server-name: ""');
    await expect(distrust.request(get)).rejects.toMatchObject({ code: 'ETLS', neverSent: true });
    await expect((await open('{}', {}, `${trusted()}, tls-server-name: other`)).request(get)).rejects.toMatchObject({
      code: 'ETLS',
    });
    expect((await (await open('{}', {}, `${trusted()}, tls-server-name: kubernetes`)).request(get)).status).toBe(200);
    expect((await (await open('{}', {}, 'insecure-skip-tls-verify: true')).request(get)).status).toBe(200);
  });

  it('sends no credentials in the clear', async () => {
    const plain = await scriptedServer(response => json(response, 200, {}));
    const text = `
current-context: c
contexts: [{name: c, context: {cluster: home, user: jane}}]
clusters: [{name: home, cluster: {server: "${plain.url}"}}]
users: [{name: jane, user: {token: secret}}]`;
    const transport = await transportFromKubeconfig(await parseKubeconfig(text), { environment: {} });
    await transport.request(get);
    expect(plain.asked[0]!.headers['authorization']).toBeUndefined();
    await transport.close();
    await plain.close();
  });
});

describe('a kubeconfig that cannot work', () => {
  it('has an expired certificate, and says when and where', async () => {
    const past = { ...systemClock, now: () => Date.UTC(2020, 0, 1) };
    const old = createAuthority({ commonName: 'ca' }, { clock: past }).issue({ commonName: 'jane' });
    const path = file('old.pem', old.certificate);
    file('old.key', old.key);
    await expect(open('{client-certificate: old.pem, client-key: old.key}')).rejects.toMatchObject({
      code: 'KUBECONFIG_EXPIRED_CERTIFICATE',
      file: path,
      message: `the client certificate of the user "jane" (${path}) expired on 2020-12-31T00:00:00Z: renew it`,
    });
  });

  it.each<[string, string, string, string]>([
    [
      'a missing file',
      '{client-certificate: no.pem, client-key: no.key}',
      'KUBECONFIG_UNREADABLE',
      'client-certificate of the user "jane" cannot be read: ',
    ],
    ['a missing token file', '{tokenFile: no-token}', 'KUBECONFIG_UNREADABLE', 'no-token: it does not exist'],
    [
      'data that is not PEM',
      '{client-certificate-data: "!!", client-key-data: "!!"}',
      'KUBECONFIG_BAD_CERTIFICATE',
      'client-certificate-data of the user "jane" is not base64 of PEM',
    ],
    [
      'a key of another',
      `{client-certificate-data: ${base64(client.certificate)}, client-key-data: ${base64(authority.key)}}`,
      'KUBECONFIG_BAD_CERTIFICATE',
      'does not belong to its key',
    ],
  ])('has %s', async (_, user, code, message) => {
    const error = await open(user).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'KubeconfigError', code, message: expect.stringContaining(message) });
    expect(String(error)).not.toContain(base64(authority.key).slice(0, 20));
  });

  it('reaches for files or programs where it may not', async () => {
    const untrusted = { untrusted: true };
    for (const [user, what] of [
      ['{tokenFile: /etc/passwd}', 'tokenFile'],
      ['{client-certificate: a, client-key: b}', 'client-certificate'],
      ['{exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: sh}}', 'exec'],
    ] as const) {
      await expect(open(user, untrusted)).rejects.toMatchObject({
        code: 'KUBECONFIG_NOT_ALLOWED',
        message: expect.stringContaining(`uses ${what}`),
      });
    }
    expect(await open('{token: t}', untrusted)).toBeDefined();
  });
});

describe('a credential plugin', () => {
  const plugin = (name: string, script: string): string => {
    const path = file(name, `#!${process.execPath}\n${script}`);
    chmodSync(path, 0o755);
    return path;
  };
  const answer = (status: object): string =>
    `console.log(JSON.stringify({kind:'ExecCredential',apiVersion:'client.authentication.k8s.io/v1',status:${JSON.stringify(status)}}));`;
  const exec = (command: string, more = ''): string =>
    `{exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: ${command}${more}}}`;
  const environment = { PATH: process.env['PATH'] };

  it('is run once for many requests, told about the cluster, and run again when its token expires or is refused', async () => {
    const log = join(folder, 'runs');
    plugin(
      'login',
      `const fs = require('node:fs');
fs.appendFileSync(${JSON.stringify(log)}, JSON.stringify({ info: JSON.parse(process.env.KUBERNETES_EXEC_INFO), mine: process.env.MINE, args: process.argv.slice(2) }) + '\\n');
const count = fs.readFileSync(${JSON.stringify(log)}, 'utf8').trim().split('\\n').length;
console.log(JSON.stringify({ kind: 'ExecCredential', apiVersion: 'client.authentication.k8s.io/v1', status: { token: 't' + count, expirationTimestamp: '2030-01-01T00:00:00Z' } }));`,
    );
    let now = Date.UTC(2029, 0, 1);
    const clock: Clock = { ...systemClock, now: () => now };
    const settings = ', args: [a, b], env: [{name: MINE, value: "1"}], provideClusterInfo: true';
    const extension = 'extensions: [{name: client.authentication.k8s.io/exec, extension: {audience: 7}}]';
    const transport = await open(exec('./login', settings), { clock, environment }, `${trusted()}, ${extension}`);
    await Promise.all([1, 2, 3].map(() => transport.request(get)));
    expect(new Set(sent())).toEqual(new Set(['Bearer t1']));
    const runs = (): { info: object; mine: string; args: string[] }[] =>
      readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map(line => JSON.parse(line));
    expect(runs()).toEqual([
      {
        args: ['a', 'b'],
        mine: '1',
        info: {
          kind: 'ExecCredential',
          apiVersion: 'client.authentication.k8s.io/v1',
          spec: {
            interactive: false,
            cluster: {
              server: server.url,
              'certificate-authority-data': base64(authority.certificate),
              config: { audience: 7 },
            },
          },
        },
      },
    ]);
    now = Date.UTC(2030, 0, 1);
    await transport.request(get);
    expect(sent().at(-1)).toBe('Bearer t2');
    now = Date.UTC(2029, 0, 1);
    accepted = ['t3'];
    expect((await transport.request(get)).status).toBe(200);
    expect(runs()).toHaveLength(3);
  });

  it('may give a certificate', async () => {
    plugin('certify', answer({ clientCertificateData: client.certificate, clientKeyData: client.key }));
    await (await open(exec('./certify'), { environment })).request(get);
    expect(seenCertificate).toBe('jane');
  });

  it('is not run when there is a token', async () => {
    await (await open(exec('/no/such/program').replace('{exec', '{token: given, exec'), { environment })).request(get);
    expect(sent()).toEqual(['Bearer given']);
  });

  it.each<[string, string, string]>([
    ['is not installed', '', 'is not installed (there is no such file). Try harder.'],
    ['fails', 'console.error("no login today"); process.exit(3)', 'failed with exit code 3: no login today'],
    ['prints nothing of use', 'console.log("hunter2")', 'did not print an ExecCredential'],
    [
      'speaks another version',
      answer({ token: 'hunter2' }).replace('/v1', '/v1beta1'),
      'is set up for client.authentication.k8s.io/v1 but answered in client.authentication.k8s.io/v1beta1',
    ],
    ['has no credentials', answer({}), 'printed neither a token nor a certificate'],
    [
      'has half a certificate',
      answer({ clientCertificateData: 'hunter2' }),
      'printed a certificate or a key, but not both',
    ],
  ])('that %s is an error that names it and tells no secret', async (what, script, message) => {
    const name = what.replaceAll(' ', '-');
    if (script !== '') plugin(name, script);
    const transport = await open(exec(`./${name}`, ', installHint: "Try \\e[31mharder."'), { environment });
    const error = await transport.request(get).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'ECREDENTIALS', neverSent: true, cause: { code: 'KUBECONFIG_EXEC_FAILED' } });
    expect((error as Error).message).toContain(message);
    expect(String(error)).not.toContain('hunter2');
  });

  it('that hangs is ended', async () => {
    const path = plugin('hang', 'setInterval(() => {}, 1000)');
    const { execCredentials } = await import('./exec-plugin.ts');
    const exec: NonNullable<KubeconfigUser['exec']> = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: path,
      args: [],
      env: [],
      installHint: undefined,
      provideClusterInfo: false,
      interactiveMode: 'Never',
    };
    const settings = { userName: 'jane', cluster: { server: 'https://x' }, environment, clock: systemClock };
    const hanging = execCredentials({ ...settings, exec, timeout: 200 });
    await expect(hanging.current()).rejects.toThrow('gave no answer in 200 ms');
    const asking = execCredentials({ ...settings, exec: { ...exec, interactiveMode: 'Always' }, terminal: false });
    await expect(asking.current()).rejects.toThrow('standard input is not a terminal');
  });
});

describe('proxies', () => {
  let proxy: Server;
  const tunnels: string[] = [];
  const sockets = new Set<Socket>();
  beforeAll(async () => {
    proxy = createServer();
    proxy.on('connect', (request, socket: Socket, head: Buffer) => {
      tunnels.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`);
      const port = Number(request.url!.split(':').at(-1));
      const onward = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        onward.write(head);
        onward.pipe(socket).pipe(onward);
      });
      for (const each of [socket, onward]) {
        sockets.add(each);
        each.on('error', () => {});
      }
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise(resolve => proxy.close(resolve));
  });

  it('are gone through, with a password if they want one', async () => {
    const { port } = proxy.address() as AddressInfo;
    const cluster = `${trusted()}, proxy-url: "http://me:p%40ss@127.0.0.1:${port}"`;
    await (await open('{token: t}', {}, cluster)).request(get);
    expect(tunnels).toEqual([`127.0.0.1:${server.port} Basic ${base64('me:p@ss')}`]);
    expect(sent()).toEqual(['Bearer t']);
  });
});

describe('SOCKS proxies', () => {
  it('are gone through', async () => {
    const wanted: string[] = [];
    const sockets: Socket[] = [];
    const proxy = createTcpServer(socket => {
      sockets.push(socket.on('error', () => {}));
      socket.once('data', () => {
        socket.write(Buffer.from([5, 0]));
        socket.once('data', request => {
          // Version, command, reserved, kind of address; then the address, then the port.
          const isName = request[3] === 3;
          const host = isName ? request.toString('latin1', 5, 5 + request[4]!) : [...request.subarray(4, 8)].join('.');
          const port = request.readUInt16BE(request.length - 2);
          wanted.push(`${host}:${port}`);
          const onward = connect(port, '127.0.0.1', () => {
            socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
            onward.pipe(socket).pipe(onward);
          });
          sockets.push(onward.on('error', () => {}));
        });
      });
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    const transport = await open('{token: t}', {}, `${trusted()}, proxy-url: "socks5://127.0.0.1:${port}"`);
    expect((await transport.request(get)).status).toBe(200);
    expect(wanted).toEqual([`127.0.0.1:${server.port}`]);
    await transport.close();
    for (const socket of sockets) socket.destroy();
    await new Promise(resolve => proxy.close(resolve));
  });
});

describe('inside a cluster', () => {
  it('uses the service account and its namespace', async () => {
    file('ca.crt', authority.certificate);
    file('token', 'pod-token\n');
    file('namespace', 'team\n');
    const environment = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: String(server.port) };
    expect(isInCluster({ environment })).toBe(true);
    const transport = await inClusterTransport({ environment, directory: folder });
    opened.push(transport);
    await transport.request(get);
    expect(sent()).toEqual(['Bearer pod-token']);
    expect(await inClusterNamespace({ environment, directory: folder })).toBe('team');
    expect(await inClusterNamespace({ environment: { POD_NAMESPACE: 'mine' } })).toBe('mine');
    expect(await inClusterNamespace({ environment, directory: '/nowhere' })).toBe('default');
  });

  it('says when it is not', async () => {
    expect(isInCluster({ environment: {} })).toBe(false);
    await expect(inClusterTransport({ environment: {} })).rejects.toMatchObject({ code: 'KUBECONFIG_NOT_IN_CLUSTER' });
    const environment = { KUBERNETES_SERVICE_HOST: 'h', KUBERNETES_SERVICE_PORT: '1' };
    await expect(inClusterTransport({ environment, directory: '/nowhere' })).rejects.toMatchObject({
      code: 'KUBECONFIG_UNREADABLE',
      message: expect.stringContaining('/nowhere/ca.crt'),
    });
  });
});
