import { createClient, endpointSlices } from '@capstan/kube';
import { expect, it } from 'vitest';
import { createApiServer } from './server.ts';

it('an endpoint may be a Pod of this machine, and no other loopback address', async () => {
  const server = await createApiServer();
  const client = createClient({ transport: server.transport() });
  const create = (name: string, address: string) =>
    client.create(endpointSlices, {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name, namespace: 'default' },
      addressType: 'IPv4',
      endpoints: [{ addresses: [address] }],
    });
  await create('first', '127.64.0.1');
  await create('last', '127.127.255.254');
  await expect(create('this-machine', '127.0.0.1')).rejects.toThrow('may not be in the loopback range');
  await expect(create('beyond', '127.128.0.1')).rejects.toThrow('may not be in the loopback range');
  await server.close();
});
