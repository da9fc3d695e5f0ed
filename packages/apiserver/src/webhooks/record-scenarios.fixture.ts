/**
 * Asks a real API server. To record anew:
 *
 *     npx node packages/apiserver/src/webhooks/record-scenarios.fixture.ts
 */
import { writeFileSync } from 'node:fs';
import { bearer, createHttpTransport, fixedCredentials } from '@capstan/kube';
import { startRealApiServer } from '../../../../e2e/real/apiserver.ts';
import { type Recorded, runScenarios } from './scenario.fixture.ts';
import { scenarios } from './scenarios.fixture.ts';
import { startWebhookServer } from './webhook-server.fixture.ts';

export const RECORDING = new URL('./fixtures/scenarios.json', import.meta.url);

export async function recordScenarios(chosen = scenarios): Promise<readonly Recorded[]> {
  const server = await startRealApiServer();
  const webhook = await startWebhookServer();
  const transport = createHttpTransport({
    server: server.url,
    tls: { authority: Buffer.from(server.caData, 'base64').toString() },
    credentials: fixedCredentials({ authorization: bearer(server.token) }),
  });
  try {
    return await runScenarios(chosen, transport, webhook);
  } finally {
    await transport.close();
    await webhook.close();
    await server.stop();
  }
}

if (import.meta.main) {
  const recorded = await recordScenarios();
  writeFileSync(RECORDING, `[\n${recorded.map(one => JSON.stringify(one)).join(',\n')}\n]\n`);
  console.log(`${recorded.length} answers`);
}
