/** What a newcomer does in the first five minutes, without kubectl: the README's own commands are in the test beside this one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, deployments, endpointSlices, pods, services } from '@capstan/kube';
import { request } from 'undici';
import { afterAll, expect, it } from 'vitest';
import { until } from '../real/until.ts';
import { type CapstanProgram, nodeMark, npmStart, RUNNING } from './capstan-program.ts';
import { hello } from './hello.ts';
import { podProcesses } from './pod-processes.ts';

const folder = mkdtempSync(join(tmpdir(), 'capstan-first-'));
let capstan: CapstanProgram | undefined;
afterAll(async () => {
  capstan?.signal('SIGKILL');
  await capstan?.exit;
  rmSync(folder, { recursive: true, force: true });
});

const namespace = 'default';
const reference = { namespace, name: 'hello' };

it.skipIf(process.platform !== 'linux')(
  'npm start, a Deployment, a Service, three replicas, a log, a restart, Ctrl-C',
  async () => {
    capstan = npmStart(join(folder, 'data'));
    await capstan.until(RUNNING);
    const client = await capstan.client();
    await client.create(deployments, hello({ replicas: 1 }));
    await client.create(services, {
      metadata: reference,
      spec: { selector: { app: 'hello' }, ports: [{ port: 80, targetPort: 8080 }] },
    });
    await client.scale(deployments).patch(reference, { merge: { spec: { replicas: 3 } } });
    await rolledOut(client);

    const { items } = await client.list(pods, { namespace, labels: { app: 'hello' } });
    expect(items.map(({ status }) => status?.phase)).toEqual(['Running', 'Running', 'Running']);
    const addresses = items.map(({ status }) => status?.podIP);
    expect(new Set(addresses).size).toBe(3);
    await until('the Service has all three', async () => {
      const slices = await client.list(endpointSlices, {
        namespace,
        labels: { 'kubernetes.io/service-name': 'hello' },
      });
      return slices.items.flatMap(slice => slice.endpoints ?? []).length === 3;
    });

    const [first] = items;
    const said = await answerOf(`http://${first!.status!.podIP}:8080/hi`);
    expect(said).toBe(`pod ${first!.metadata.name}\npath /hi\nversion latest\n`);
    const log = await client.transport.request({
      method: 'GET',
      path: `/api/v1/namespaces/default/pods/${first!.metadata.name}/log`,
    });
    expect(log.body).toBe(`listening on http://${first!.status!.podIP}:8080\nGET /hi\n`);

    const restarted = { 'kubectl.kubernetes.io/restartedAt': '2026-01-01T00:00:00Z' };
    await client.patch(deployments, reference, {
      merge: { spec: { template: { metadata: { annotations: restarted } } } },
    });
    await rolledOut(client);
    const names = new Set(items.map(({ metadata }) => metadata.name));
    await until('none of the former Pods is there', async () => {
      const now = await client.list(pods, { namespace, labels: { app: 'hello' } });
      return now.items.length === 3 && now.items.every(({ metadata }) => !names.has(metadata.name));
    });

    const mark = nodeMark(capstan.data);
    expect(podProcesses(mark).length).toBe(3);
    capstan.signal('SIGINT');
    expect(await capstan.exit).toEqual({ code: 0, signal: null });
    expect(podProcesses(mark)).toEqual([]);
  },
);

/** Without a readiness probe, a Pod counts as ready before it listens: whoever is refused asks again. */
async function answerOf(url: string): Promise<string> {
  let text = '';
  await until(`${url} answers`, async () => {
    text = await (await request(url)).body.text();
    return true;
  });
  return text;
}

/** As `kubectl rollout status` has it. */
async function rolledOut(client: Client): Promise<void> {
  await until('the Deployment is rolled out', async () => {
    const { metadata, spec, status } = await client.get(deployments, reference);
    return (
      (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0) &&
      status?.updatedReplicas === spec.replicas &&
      status?.replicas === spec.replicas &&
      status?.availableReplicas === spec.replicas
    );
  });
}
