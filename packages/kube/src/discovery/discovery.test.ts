import { createApiServer } from '@capstan/apiserver';
import { describe, expect, it } from 'vitest';
import { createClient } from '../client/client.ts';
import { failure, ok, scriptedTransport } from '../client/scripted-transport.fixture.ts';
import { systemClock } from '../clock.ts';
import { createDiscovery } from './discovery.ts';

const resources = (...names: object[]) => ok({ kind: 'APIResourceList', resources: names });
const pods = { name: 'pods', singularName: 'pod', kind: 'Pod', namespaced: true, shortNames: ['po'], verbs: ['get'] };
const plain = [
  ok({ kind: 'APIVersions', versions: ['v1'] }),
  ok({
    kind: 'APIGroupList',
    groups: [
      { name: 'apps', versions: [{ version: 'v1beta1' }, { version: 'v1' }], preferredVersion: { version: 'v1' } },
      { name: 'away.example.com', versions: [{ version: 'v1' }] },
    ],
  }),
  resources(
    pods,
    { name: 'pods/log', kind: 'Pod', namespaced: true },
    { name: 'pods/status', kind: 'Pod', namespaced: true },
  ),
  resources({ name: 'deployments', kind: 'Deployment', namespaced: true }),
  resources({ name: 'deployments', kind: 'Deployment', namespaced: true }),
  failure(503, 'ServiceUnavailable'),
];
const aggregated = (kind: string, plural: string, group = '') => ({
  kind: 'APIGroupDiscoveryList',
  items: [
    {
      metadata: { name: group },
      versions: [
        {
          version: 'v1',
          resources: [
            {
              resource: plural,
              responseKind: { group, version: 'v1', kind },
              scope: 'Namespaced',
              singularResource: kind.toLowerCase(),
              verbs: ['get'],
              subresources: [{ subresource: 'status' }],
            },
            { resource: 'odd', responseKind: { kind: '' } },
          ],
        },
      ],
    },
  ],
});

function setUp(answers: Parameters<typeof scriptedTransport>[0]) {
  let now = 0;
  const clock = { ...systemClock, monotonic: () => now };
  const transport = scriptedTransport(answers);
  const failures: string[] = [];
  const client = createClient({ transport, retry: { attempts: 1 } });
  const discovery = createDiscovery(client, { clock, onPartialFailure: group => failures.push(group) });
  const pass = (milliseconds: number): void => {
    now += milliseconds;
  };
  return { discovery, transport, failures, pass };
}

describe('discovery', () => {
  it('reads one document where the server has it', async () => {
    const { discovery, transport } = setUp([
      ok(aggregated('Pod', 'pods')),
      ok(aggregated('Robot', 'robots', 'example.com')),
    ]);
    expect(await discovery.forKind('example.com/v1', 'Robot')).toMatchObject({
      group: 'example.com',
      version: 'v1',
      plural: 'robots',
      namespaced: true,
      subresources: ['status'],
    });
    expect((await discovery.resources()).map(each => each.plural)).toEqual(['pods', 'robots']);
    expect(transport.asked).toHaveLength(2);
    expect(transport.asked[0]!.headers!['accept']).toContain('v=v2;as=APIGroupDiscoveryList');
  });

  it('asks group by group where it has not, and does without a group that is away', async () => {
    const { discovery, failures } = setUp(plain);
    expect((await discovery.resources()).map(each => `${each.group}/${each.version} ${each.plural}`)).toEqual([
      '/v1 pods',
      'apps/v1 deployments',
      'apps/v1beta1 deployments',
    ]);
    expect(await discovery.forKind('v1', 'Pod')).toMatchObject({ subresources: ['log', 'status'] });
    expect(failures).toEqual(['away.example.com/v1']);
  });

  it.each([
    ['pods', 'v1'],
    ['pod', 'v1'],
    ['po', 'v1'],
    ['Pod', 'v1'],
    ['deployments', 'v1'],
    ['deployments.apps', 'v1'],
    ['deployments.v1beta1.apps', 'v1beta1'],
  ])('knows what a person means by %s', async (word, version) => {
    const { discovery } = setUp(plain);
    expect(await discovery.forWord(word)).toMatchObject({ version });
  });

  it('remembers, asks again when something is not found, and forgets with time', async () => {
    const first = [ok(aggregated('Pod', 'pods')), ok(aggregated('Robot', 'robots', 'a'))];
    const second = [ok(aggregated('Pod', 'pods')), ok(aggregated('Arm', 'arms', 'a'))];
    const { discovery, transport, pass } = setUp([...first, ...second, ...first]);
    await Promise.all([discovery.resources(), discovery.resources()]);
    expect(transport.asked).toHaveLength(2);
    expect(await discovery.forKind('a/v1', 'Arm')).toBeUndefined();
    expect(transport.asked).toHaveLength(2);
    pass(5_000);
    expect(await discovery.forKind('a/v1', 'Arm')).toBeDefined();
    pass(600_000);
    expect(await discovery.forWord('robots')).toBeDefined();
    expect(transport.asked).toHaveLength(6);
  });

  it('understands the embedded API server', async () => {
    const server = await createApiServer();
    const discovery = createDiscovery(createClient({ transport: server.transport() }));
    expect(await discovery.forKind('apps/v1', 'Deployment')).toMatchObject({ plural: 'deployments', namespaced: true });
    expect(await discovery.forWord('cm')).toMatchObject({ kind: 'ConfigMap' });
    await server.close();
  });
});
