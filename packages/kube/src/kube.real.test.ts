/** The contracts of the client and of its transport, on a real kube-apiserver, reached by kubeconfig. */
import { describe, expect, it } from 'vitest';
import { neededPeers, startRealApiServer } from '../../../e2e/real/apiserver.ts';
import { requirePeers } from '../../../e2e/real/require-peers.ts';
import { findPeer } from '../../../scripts/peers/find.ts';
import { clientContract } from './client/client.contract.ts';
import { createClient } from './client/client.ts';
import { selfSubjectReviews } from './kinds/reviews.ts';
import { loadKubeconfig } from './kubeconfig/load.ts';
import { transportFromKubeconfig } from './kubeconfig/transport.ts';
import { type TransportTarget, transportContract } from './transport.contract.ts';

const there = neededPeers({}).every(name => findPeer(name) !== undefined);

async function realTarget(): Promise<TransportTarget> {
  const server = await startRealApiServer();
  const config = await loadKubeconfig({ path: server.kubeconfig });
  return { transport: await transportFromKubeconfig(config), stop: () => server.stop() };
}

describe.skipIf(!there)('a real API server', () => {
  transportContract('to a real API server', realTarget);
  clientContract('with a real API server', realTarget);

  it('lets an administrator act as someone else', async () => {
    const { transport, stop } = await realTarget();
    const jane = createClient({ transport }).as({ user: 'jane', groups: ['devs', 'ops'], extra: { scope: ['x'] } });
    const review = await jane.create(selfSubjectReviews, { metadata: {} });
    expect(review.status?.userInfo).toMatchObject({
      username: 'jane',
      groups: expect.arrayContaining(['devs', 'ops']),
      extra: { scope: ['x'] },
    });
    await transport.close();
    await stop();
  });
});

it('has a real API server to ask', context => requirePeers(context, neededPeers({})));
