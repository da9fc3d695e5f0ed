import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type Authority, createAuthority, systemClock, systemRandom } from '@capstan/kube';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Draft } from '../kind.ts';
import { MemoryStore } from '../store/memory-store.ts';
import type { ClientConfig } from './configuration.ts';
import { ANSWER_LIMIT, type HttpsCaller, httpsCaller } from './https-call.ts';

const DAY = 24 * 60 * 60 * 1000;
let authority: Authority;
let store: MemoryStore;
let caller: HttpsCaller;
let server: Server | undefined;
/** Ports of the clients that connected. */
let clients: Set<number>;

beforeEach(() => {
  authority = createAuthority({ commonName: 'authority' });
  store = new MemoryStore();
  caller = httpsCaller(systemClock, store, systemRandom);
  clients = new Set();
});
afterEach(() => {
  caller.close();
  server?.close();
  server?.closeAllConnections();
});

interface Names {
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
  readonly validFor?: number;
}

/** Starts a webhook; gives its port. */
async function serve(
  answer: (outgoing: ServerResponse, incoming: IncomingMessage) => void,
  names: Names = { ipAddresses: ['127.0.0.1'] },
): Promise<number> {
  const { certificate, key } = authority.issue({ commonName: 'webhook', ...names });
  server = createServer({ cert: certificate, key }, (incoming, outgoing) => {
    clients.add(incoming.socket.remotePort!);
    incoming.resume().on('end', () => answer(outgoing, incoming));
  });
  await new Promise<void>(resolve => server!.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const bundle = (of: Authority = authority): string => Buffer.from(of.certificate).toString('base64');
const at = (port: number, caBundle = bundle()): ClientConfig => ({ url: `https://127.0.0.1:${port}/ask`, caBundle });
const json = (outgoing: ServerResponse, value: unknown): void => void outgoing.end(JSON.stringify(value));
const ask = (client: ClientConfig, seconds = 5) => caller.call(client, { question: 1 }, seconds);

describe('a webhook over HTTPS', () => {
  it('is told how long we wait for it, and keeps its connection', async () => {
    let url = '';
    const port = await serve((outgoing, incoming) => {
      url = incoming.url!;
      json(outgoing, { fine: true });
    });
    for (let times = 0; times < 3; times++) expect(await ask(at(port), 7)).toEqual({ fine: true });
    expect(url).toBe('/ask?timeout=7s');
    expect(clients.size).toBe(1);
  });

  it('may answer in YAML, as Kubernetes allows', async () => {
    const port = await serve(outgoing => outgoing.end('fine: true\n'));
    expect(await ask(at(port))).toEqual({ fine: true });
  });

  it('is not followed elsewhere', async () => {
    const port = await serve(outgoing => void outgoing.writeHead(307, { location: 'https://127.0.0.1:1/' }).end());
    await expect(ask(at(port))).rejects.toThrow('the server responded with the status code 307');
  });

  it('cannot answer with more than a request may have', async () => {
    const port = await serve(outgoing => outgoing.end(`"${'x'.repeat(ANSWER_LIMIT)}"`));
    await expect(ask(at(port))).rejects.toThrow(`the answer is larger than ${ANSWER_LIMIT} bytes`);
  });

  it('that answers garbage is refused', async () => {
    const port = await serve(outgoing => outgoing.end('}{'));
    await expect(ask(at(port))).rejects.toThrow(/^yaml: /);
  });

  it('that never ends its answer is given up', async () => {
    const port = await serve(outgoing => void outgoing.write('{"kind":'));
    const words = `Post "https://127.0.0.1:${port}/ask?timeout=0.2s": context deadline exceeded`;
    await expect(ask(at(port), 0.2)).rejects.toThrow(words);
  });

  it('that speaks no TLS is refused', async () => {
    const { createServer: plain } = await import('node:http');
    const http = plain((_, outgoing) => void outgoing.end('hello'));
    await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
    await expect(ask(at((http.address() as AddressInfo).port))).rejects.toThrow(/^Post "https:/);
    http.close();
  });
});

describe('its certificate', () => {
  it('has to be of the authority in the configuration', async () => {
    const port = await serve(outgoing => json(outgoing, {}));
    const stranger = bundle(createAuthority({ commonName: 'stranger' }));
    await expect(ask(at(port, stranger))).rejects.toThrow('x509: certificate signed by unknown authority');
    expect(await ask(at(port))).toEqual({});
    await expect(ask(at(port, stranger))).rejects.toThrow('x509: certificate signed by unknown authority');
  });

  it('without an authority in the configuration has to be one the machine trusts', async () => {
    const port = await serve(outgoing => json(outgoing, {}));
    await expect(ask({ url: `https://127.0.0.1:${port}/` })).rejects.toThrow('signed by unknown authority');
  });

  it('has to be valid now', async () => {
    const port = await serve(outgoing => json(outgoing, {}), { ipAddresses: ['127.0.0.1'], validFor: -DAY / 1440 });
    await expect(ask(at(port))).rejects.toThrow('x509: certificate has expired or is not yet valid');
  });

  it('has to be for the address', async () => {
    const port = await serve(outgoing => json(outgoing, {}), { ipAddresses: ['127.0.0.9'] });
    await expect(ask(at(port))).rejects.toThrow('x509: certificate is valid for 127.0.0.9, not 127.0.0.1');
  });
});

describe('the Service of a webhook', () => {
  const client = (): ClientConfig => ({
    service: { namespace: 'default', name: 'hook', path: '/ask', port: 8443 },
    caBundle: bundle(),
  });
  const put = (table: string, name: string, object: object) =>
    store.write(table, `default/${name}`, undefined, { metadata: { name, namespace: 'default' }, ...object } as Draft);
  const service = () =>
    put('/services', 'hook', {
      spec: {
        ports: [
          { name: 'web', port: 8443, targetPort: 1 },
          { name: 'other', port: 80 },
        ],
      },
    });
  const slice = (port: number, ready = true) =>
    put('discovery.k8s.io/endpointslices', 'hook-1', {
      metadata: { name: 'hook-1', namespace: 'default', labels: { 'kubernetes.io/service-name': 'hook' } },
      ports: [
        { name: 'other', port: 1 },
        { name: 'web', port },
      ],
      endpoints: [
        { addresses: ['127.0.0.250'], conditions: { ready: false } },
        { addresses: ['127.0.0.1'], conditions: { ready } },
      ],
    });

  it('is found by its endpoints, and its certificate is for the name of the Service', async () => {
    let host: string | undefined;
    const answer = (outgoing: ServerResponse, incoming: IncomingMessage): void => {
      host = incoming.headers.host;
      json(outgoing, { fine: true });
    };
    const port = await serve(answer, { dnsNames: ['hook.default.svc'] });
    await service();
    await slice(port);
    expect(await ask(client())).toEqual({ fine: true });
    expect(host).toBe('hook.default.svc:8443');
  });

  it('is found by Endpoints where there are no slices', async () => {
    const port = await serve(outgoing => json(outgoing, {}), { dnsNames: ['hook.default.svc'] });
    await service();
    await put('/endpoints', 'hook', {
      subsets: [{ addresses: [{ ip: '127.0.0.1' }], ports: [{ name: 'web', port }] }],
    });
    expect(await ask(client())).toEqual({});
  });

  it('with a certificate for another name is refused', async () => {
    const port = await serve(outgoing => json(outgoing, {}), { dnsNames: ['other.default.svc'] });
    await service();
    await slice(port);
    const words = 'x509: certificate is valid for other.default.svc, not hook.default.svc';
    await expect(ask(client())).rejects.toThrow(words);
  });

  it.each([
    ['that is not there', async () => {}, 'service "hook" not found'],
    [
      'without ready endpoints',
      () => service().then(() => slice(1, false)),
      'no endpoints available for service "hook"',
    ],
    [
      'without the port',
      () => put('/services', 'hook', { spec: { ports: [{ port: 80 }] } }),
      'no service port 8443 found for service "hook"',
    ],
  ])('%s is told', async (_, prepare, words) => {
    await prepare();
    await expect(ask(client())).rejects.toThrow(`Post "https://hook.default.svc:8443/ask?timeout=5s": ${words}`);
  });
});
