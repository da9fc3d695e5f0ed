import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority } from '@capstan/kube';
import { expect, it } from 'vitest';
import { createApiServer } from '../server.ts';

/** v1, which is stored, counts millimetres; v2 writes them out. */
const schema = (properties: object) => ({
  openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } },
});

it('a server in the real world asks the conversion webhooks of definitions without being told how', async () => {
  const authority = createAuthority({ commonName: 'authority' });
  const { certificate, key } = authority.issue({ commonName: 'converter', ipAddresses: ['127.0.0.1'] });
  const converter = createServer({ cert: certificate, key }, (incoming, outgoing) => {
    let text = '';
    incoming.on('data', chunk => (text += chunk));
    incoming.on('end', () => outgoing.end(JSON.stringify(converted(JSON.parse(text)))));
  });
  await new Promise<void>(resolve => converter.listen(0, '127.0.0.1', resolve));
  const clientConfig = {
    url: `https://127.0.0.1:${(converter.address() as AddressInfo).port}/convert`,
    caBundle: Buffer.from(authority.certificate).toString('base64'),
  };
  const server = await createApiServer();
  const { request } = server.transport();
  try {
    await request({
      method: 'POST',
      path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      body: rods(clientConfig),
    });
    const path = (version: string): string => `/apis/example.org/${version}/namespaces/default/rods`;
    const body = { apiVersion: 'example.org/v2', kind: 'Rod', metadata: { name: 'a' }, spec: { length: '7 mm' } };
    expect(await request({ method: 'POST', path: path('v2'), body })).toMatchObject({ status: 201 });
    const read = await request({ method: 'GET', path: `${path('v1')}/a` });
    expect(read.body).toMatchObject({ apiVersion: 'example.org/v1', spec: { size: 7 } });
  } finally {
    await server.close();
    converter.closeAllConnections();
    converter.close();
  }
});

interface Review {
  readonly request: { uid: string; desiredAPIVersion: string; objects: { spec: { size: number; length: string } }[] };
}

function converted({ request, ...review }: Review): object {
  const { uid, desiredAPIVersion, objects } = request;
  const convertedObjects = objects.map(({ spec, ...object }) => ({
    ...object,
    apiVersion: desiredAPIVersion,
    spec: desiredAPIVersion.endsWith('v2') ? { length: `${spec.size} mm` } : { size: Number.parseInt(spec.length, 10) },
  }));
  return { ...review, response: { uid, result: { status: 'Success' }, convertedObjects } };
}

const rods = (clientConfig: object) => ({
  metadata: { name: 'rods.example.org' },
  spec: {
    group: 'example.org',
    names: { plural: 'rods', kind: 'Rod' },
    scope: 'Namespaced',
    versions: [
      { name: 'v1', served: true, storage: true, schema: schema({ size: { type: 'integer' } }) },
      { name: 'v2', served: true, storage: false, schema: schema({ length: { type: 'string' } }) },
    ],
    conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } },
  },
});
