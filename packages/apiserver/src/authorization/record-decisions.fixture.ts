/**
 * Asks a real API server, with its controllers (they gather the rules of `admin`, `edit` and `view`). To record anew:
 *
 *     npx node packages/apiserver/src/authorization/record-decisions.fixture.ts
 */
import { writeFileSync } from 'node:fs';
import { bearer, clusterRoles, createClient, createHttpTransport, fixedCredentials } from '@capstan/kube';
import { startRealApiServer } from '../../../../e2e/real/apiserver.ts';
import { until } from '../../../../e2e/real/until.ts';
import { prepare, type Recorded, tryAll } from './recorded-decisions.fixture.ts';

export async function recordDecisions(): Promise<readonly Recorded[]> {
  const server = await startRealApiServer({ controllerManager: true });
  const authority = Buffer.from(server.caData, 'base64').toString();
  const transport = createHttpTransport({
    server: server.url,
    tls: { authority },
    credentials: fixedCredentials({ authorization: bearer(server.token) }),
  });
  try {
    const client = createClient({ transport });
    await until('the rules of admin are gathered', async () => {
      const { rules } = await client.get(clusterRoles, { name: 'admin' });
      return JSON.stringify(rules ?? []).includes('localsubjectaccessreviews');
    });
    await prepare(transport);
    return await tryAll(transport);
  } finally {
    await transport.close();
    await server.stop();
  }
}

export const RECORDING = new URL('./fixtures/decisions.json', import.meta.url);

if (import.meta.main) {
  const recorded = await recordDecisions();
  writeFileSync(RECORDING, `[\n${recorded.map(one => JSON.stringify(one)).join(',\n')}\n]\n`);
  console.log(`${recorded.length} decisions`);
}
