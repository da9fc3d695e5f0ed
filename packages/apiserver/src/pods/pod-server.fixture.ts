/** A server over HTTPS with a node whose Pods are processes, and clients for it. */
import type { ClientRequest } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority, kubeconfigText } from '@capstan/kube';
import { WebSocket } from 'ws';
import { hashToken, newToken } from '../authentication/index.ts';
import { type Listener, listen } from '../http.ts';
import { ADMIN, type ApiServer, type ApiServerOptions, createApiServer } from '../server.ts';
import type { NodeAgent } from './node-agent.ts';
import { ProcessAgent } from './process-agent.fixture.ts';

export const PODS = '/api/v1/namespaces/default/pods';

export interface PodServer {
  readonly server: ApiServer;
  readonly listener: Listener;
  readonly agent: ProcessAgent;
  readonly authority: string;
  readonly tokens: Readonly<Record<'admin' | 'bob', string>>;
  /** A Pod that says of itself that it runs. */
  run(name: string, containers?: readonly string[], nodeName?: string): Promise<void>;
  webSocket(path: string, protocols: string | readonly string[], token?: string): WebSocket;
  /** The status and the body of a request that asks to upgrade and is refused. */
  upgrade(path: string, headers: Readonly<Record<string, string>>): Promise<{ status: number; message: string }>;
  kubeconfig(): Promise<string>;
  close(): Promise<void>;
}

export async function startPodServer(options: ApiServerOptions = {}, other?: NodeAgent): Promise<PodServer> {
  const issuer = createAuthority({ commonName: 'ca' });
  const tokens = { admin: newToken(), bob: newToken() };
  const server = await createApiServer({
    authorize: 'rbac',
    tokens: [
      { hash: hashToken(tokens.admin), user: ADMIN },
      { hash: hashToken(tokens.bob), user: { name: 'bob', groups: [] } },
    ],
    ...options,
  });
  const { certificate: cert, key } = issuer.issue({ commonName: 'capstan', ipAddresses: ['127.0.0.1'] });
  const listener = await listen(server, { tls: { cert, key }, authenticate: server.authenticate });
  const agent = new ProcessAgent();
  server.nodes.register('laptop', other ?? agent);
  const transport = server.transport();
  await transport.request({ method: 'POST', path: '/api/v1/nodes', body: { metadata: { name: 'laptop' } } });
  const ca = issuer.certificate;
  return {
    server,
    listener,
    agent,
    authority: ca,
    tokens,
    async run(name, containers = ['main'], nodeName = 'laptop') {
      const spec = {
        nodeName,
        containers: containers.map(container => ({ name: container, image: 'example/main:1' })),
      };
      const { body } = await transport.request({ method: 'POST', path: PODS, body: { metadata: { name }, spec } });
      const containerStatuses = containers.map(container => ({
        ...{ name: container, image: 'example/main:1', imageID: '', ready: true, restartCount: 0 },
        state: { running: {} },
      }));
      await transport.request({
        method: 'PUT',
        path: `${PODS}/${name}/status`,
        body: { ...(body as object), status: { phase: 'Running', containerStatuses } },
      });
    },
    webSocket(path, protocols, token = tokens.admin) {
      const url = `${listener.url.replace('https', 'wss')}${path}`;
      const headers = { authorization: `Bearer ${token}` };
      return new WebSocket(url, protocols as string | string[], { ca, headers, perMessageDeflate: false });
    },
    upgrade(path, headers) {
      return new Promise((resolve, reject) => {
        const outgoing: ClientRequest = request(`${listener.url}${path}`, { ca, headers, agent: false }, answer => {
          let text = '';
          answer.on('data', part => {
            text += part;
          });
          answer.on('end', () => resolve({ status: answer.statusCode!, message: JSON.parse(text).message }));
        });
        outgoing.on('error', reject);
        outgoing.on('upgrade', () => reject(new Error('the connection was handed over')));
        outgoing.end();
      });
    },
    kubeconfig: () => {
      const credential = { token: tokens.admin };
      return kubeconfigText({ name: 'a', server: listener.url, authority: ca, credential, namespace: 'default' });
    },
    async close() {
      await listener.close();
      await server.close();
      for (const child of agent.children) child.kill('SIGKILL');
    },
  };
}

/** The port of a server that listens on loopback. */
export const portOf = (server: { address(): AddressInfo | string | null }): number =>
  (server.address() as AddressInfo).port;
