import { ADMIN, createApiServer, listen } from '@capstan/apiserver';
import { createHttpTransport } from './http/http-transport.ts';
import { transportContract } from './transport.contract.ts';

transportContract('into the embedded API server', async () => {
  const server = await createApiServer();
  return { transport: server.transport(), stop: () => server.close() };
});

transportContract('over HTTP', async () => {
  const server = await createApiServer();
  const listener = await listen(server, { authenticate: () => ADMIN });
  return {
    transport: createHttpTransport({ server: listener.url }),
    async stop() {
      await listener.close();
      await server.close();
    },
  };
});
