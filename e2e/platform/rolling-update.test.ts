import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, deployments, pods, services } from '@capstan/kube';
import { afterAll, expect, it } from 'vitest';
import { until } from '../real/until.ts';
import { type CapstanProgram, capstanUp, makeBundle, RUNNING } from './capstan-program.ts';
import { hello } from './hello.ts';
import { callService } from './service-client.ts';

const ROLLOUTS = 3;
const REPLICAS = 3;
const CALLERS = 4;
const namespace = 'default';
const reference = { namespace, name: 'hello' };

const folder = mkdtempSync(join(tmpdir(), 'capstan-rolling-'));
let capstan: CapstanProgram | undefined;
afterAll(async () => {
  capstan?.signal('SIGTERM');
  await capstan?.exit;
  rmSync(folder, { recursive: true, force: true });
});

it.skipIf(process.platform !== 'linux')(
  'no request fails while a Deployment with maxUnavailable 0 and a readiness probe is rolled out, again and again',
  async () => {
    makeBundle();
    capstan = capstanUp(join(folder, 'data'));
    await capstan.until(RUNNING);
    const client = await capstan.client();
    await client.create(deployments, deployment());
    await client.create(services, {
      metadata: reference,
      spec: { selector: { app: 'hello' }, ports: [{ port: 80, targetPort: 8080 }] },
    });
    const calls = callService(client, namespace, 'hello', CALLERS);
    await calls.ready(REPLICAS);
    for (let version = 1; version <= ROLLOUTS; version++) {
      await rollOut(client, `capstan/demo-http:${version}`);
      // The last version takes all of it; the former ones have ended.
      await until(`version ${version} answers`, () => (calls.answered.get(String(version)) ?? 0) > 100);
    }
    await calls.stop();

    expect(calls.failed).toEqual([]);
    expect([...calls.answered.keys()].toSorted()).toEqual(['1', '2', '3', 'latest']);
    expect((await client.list(pods, { namespace })).items.length).toBe(REPLICAS);
  },
);

function deployment() {
  return hello({
    replicas: REPLICAS,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
    container: {
      readinessProbe: { httpGet: { path: '/healthz', port: 8080 }, periodSeconds: 1 },
      // As everywhere in Kubernetes: whoever watches needs a moment to learn that the Pod is on its way out.
      lifecycle: { preStop: { sleep: { seconds: 1 } } },
    },
  });
}

async function rollOut(client: Client, image: string): Promise<void> {
  const containers = [{ name: 'demo-http', image }];
  await client.patch(deployments, reference, { strategic: { spec: { template: { spec: { containers } } } } });
  await until(`${image} is rolled out`, async () => {
    const { metadata, status } = await client.get(deployments, reference);
    return (
      status?.observedGeneration === metadata.generation &&
      status?.updatedReplicas === REPLICAS &&
      status?.availableReplicas === REPLICAS &&
      status?.replicas === REPLICAS &&
      (await client.list(pods, { namespace })).items.length === REPLICAS
    );
  });
}
