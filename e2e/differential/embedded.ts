import { ADMIN, createApiServer, hashToken, listen, newToken, tokenAuthenticator } from '@capstan/apiserver';
import { createAuthority } from '@capstan/kube';
import type { Address } from './target.ts';

export interface EmbeddedServer extends Address {
  stop(): Promise<void>;
}

/** An embedded API server with an empty store, over HTTPS as a user meets it. */
export async function startEmbedded(): Promise<EmbeddedServer> {
  const failures: unknown[] = [];
  const server = await createApiServer({ onError: error => failures.push(error) });
  // As the real server after its restart: version 1 is too old to watch from.
  server.backend.store.compact(server.backend.store.revision);
  const authority = createAuthority({ commonName: 'capstan-ca' });
  const { certificate, key } = authority.issue({ commonName: 'capstan', ipAddresses: ['127.0.0.1'] });
  const token = newToken();
  const listener = await listen(server, {
    tls: { key, cert: certificate },
    authenticate: tokenAuthenticator([{ hash: hashToken(token), user: ADMIN }]),
  });
  return {
    url: listener.url,
    caData: Buffer.from(authority.certificate).toString('base64'),
    token,
    stop: async () => {
      await listener.close();
      await server.close();
      if (failures.length > 0) throw new AggregateError(failures, 'the server failed inside');
    },
  };
}
