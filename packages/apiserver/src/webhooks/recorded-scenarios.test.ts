import { readFileSync } from 'node:fs';
import { createHttpTransport, type Transport } from '@capstan/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Listener, listen } from '../http.ts';
import { type ApiServer, createApiServer } from '../server.ts';
import { type Recorded, runScenario } from './scenario.fixture.ts';
import { scenarios } from './scenarios.fixture.ts';
import { startWebhookServer, type WebhookServer } from './webhook-server.fixture.ts';

const recorded = JSON.parse(
  readFileSync(new URL('./fixtures/scenarios.json', import.meta.url), 'utf8'),
) as readonly Recorded[];

/** Who the recording was made as. */
const ADMIN = { name: 'admin', uid: 'admin', groups: ['system:masters', 'system:authenticated'] };

describe('webhooks are asked, and their answers are taken, as a real API server does', () => {
  let server: ApiServer;
  let webhook: WebhookServer;
  let listener: Listener;
  let transport: Transport;
  beforeAll(async () => {
    server = await createApiServer({ onError: error => expect.unreachable(String(error)) });
    listener = await listen(server, { authenticate: () => ADMIN });
    transport = createHttpTransport({ server: listener.url });
    webhook = await startWebhookServer();
  });
  afterAll(async () => {
    await transport.close();
    await listener.close();
    await server.close();
    await webhook.close();
  });

  // In their order: one may use a kind that another defined.
  it.each(scenarios)('$name', async scenario => {
    const ours = await runScenario(scenario, transport, webhook);
    expect(ours).toEqual(recorded.filter(one => one.scenario === scenario.name));
  });
});
