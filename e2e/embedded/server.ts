import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ADMIN,
  type ApiServer,
  createApiServer,
  hashToken,
  type Listener,
  listen,
  newToken,
  tokenAuthenticator,
} from '@capstan/apiserver';
import { createAuthority } from '@capstan/kube';
import { kubeconfig } from '../real/kubeconfig.ts';

/** The embedded API server behind the same handle as a real one. */
export interface EmbeddedServer {
  readonly url: string;
  readonly caData: string;
  readonly token: string;
  /** Path of a kubeconfig with the three above. */
  readonly kubeconfig: string;
  /** Forgets all changes up to now: a watch from before is answered by 410. */
  compact(): void;
  /** Ends the server and starts it anew on the same address, from what it stored. */
  restart(): Promise<void>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

/**
 * An embedded API server with an empty store on disk, over HTTPS as a user meets it.
 *
 * @param onError told of failures inside the server, which a client sees as 500
 */
export async function startEmbedded(onError: (error: unknown) => void = () => {}): Promise<EmbeddedServer> {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-embedded-'));
  const authority = createAuthority({ commonName: 'capstan-ca' });
  const { certificate, key } = authority.issue({ commonName: 'capstan', ipAddresses: ['127.0.0.1'] });
  const token = newToken();
  const authenticate = tokenAuthenticator([{ hash: hashToken(token), user: ADMIN }]);

  const start = async (port: number): Promise<{ server: ApiServer; listener: Listener }> => {
    const server = await createApiServer({ file: join(folder, 'store.db'), onError });
    return { server, listener: await listen(server, { port, tls: { key, cert: certificate }, authenticate }) };
  };
  const end = async ({ server, listener }: { server: ApiServer; listener: Listener }) => {
    await listener.close();
    await server.close();
  };

  let running = await start(0);
  const { url, port } = running.listener;
  const caData = Buffer.from(authority.certificate).toString('base64');
  const configFile = join(folder, 'kubeconfig');
  writeFileSync(configFile, kubeconfig({ url, caData, token }), { mode: 0o600 });
  return {
    url,
    caData,
    token,
    kubeconfig: configFile,
    compact: () => {
      const { store } = running.server.backend;
      store.compact(store.revision);
    },
    restart: async () => {
      await end(running);
      running = await start(port);
    },
    stop: async () => {
      await end(running);
      rmSync(folder, { recursive: true });
    },
  };
}
