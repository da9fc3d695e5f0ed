import { createServer } from 'node:net';

/** Free ports of the loopback address: all are held until the last is known, so that no two are the same. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(0, '127.0.0.1', resolve);
      });
      return server;
    }),
  );
  return Promise.all(
    servers.map(async server => {
      const { port } = server.address() as { port: number };
      await new Promise(resolve => server.close(resolve));
      return port;
    }),
  );
}
