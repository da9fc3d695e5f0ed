import { ADMIN, createApiServer, listen } from '@capstan/apiserver';
import { createHttpTransport } from '../http/http-transport.ts';
import { clientContract } from './client.contract.ts';

clientContract('in process', async () => {
  const server = await createApiServer();
  return { transport: server.transport(), stop: () => server.close() };
});

clientContract('over HTTP', async () => {
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
