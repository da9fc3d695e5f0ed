/**
 * Requests to an API server on which webhooks are configured: sent to a real one once (`record-scenarios.fixture.ts`), and to
 * ours always. What is compared: the answers, and what the webhooks were asked.
 */
import { createAuthority, type Method, type Transport } from '@capstan/kube';
import { until } from '../../../../e2e/real/until.ts';
import { normaliser } from './normalise.fixture.ts';
import type { AdmissionReview } from './review.ts';
import type { WebhookServer } from './webhook-server.fixture.ts';

export interface Scenario {
  /** Also the name of its namespace, its configurations and the label that both go by. */
  readonly name: string;
  /** Sent before the webhooks are there. */
  readonly setUp?: readonly Step[];
  readonly webhooks: readonly HookSpec[];
  readonly steps: readonly Step[];
}

/** `does` is a behaviour of the webhook server; the rest goes into the configuration as it is. */
export type HookSpec = { readonly type: 'mutating' | 'validating'; readonly does: string } & Readonly<
  Record<string, unknown>
>;

/** `$ns` in the path is the namespace of the scenario. */
export interface Step {
  readonly request: `${Method} ${string}`;
  readonly body?: object;
  readonly contentType?: string;
}

export interface Recorded {
  readonly scenario: string;
  readonly request: string;
  readonly status: number;
  readonly warning?: string;
  readonly body: unknown;
  /** Path of the webhook and what it was asked. */
  readonly asked: readonly unknown[];
}

const GROUP = '/apis/admissionregistration.k8s.io/v1';

export async function runScenarios(
  scenarios: readonly Scenario[],
  transport: Transport,
  webhook: WebhookServer,
): Promise<Recorded[]> {
  const recorded: Recorded[] = [];
  for (const scenario of scenarios) recorded.push(...(await runScenario(scenario, transport, webhook)));
  return recorded;
}

export async function runScenario(
  scenario: Scenario,
  transport: Transport,
  webhook: WebhookServer,
): Promise<Recorded[]> {
  const { name } = scenario;
  const send = sender(transport, name);
  await must(send({ request: 'POST /api/v1/namespaces', body: { metadata: { name, labels: { scenario: name } } } }));
  for (const step of scenario.setUp ?? []) await must(sendWhenServed(send, step));
  for (const [path, body] of configurations(scenario, webhook))
    await must(send({ request: `POST ${GROUP}/${path}`, body }));
  await untilAsked(scenario, send, webhook);
  const normalise = normaliser(webhook.port);
  const recorded: Recorded[] = [];
  for (const step of scenario.steps) {
    const { status, headers, body } = await send(step);
    const asked = webhook.take().map(([path, review]) => ({ path, ...(normalise(review) as AdmissionReview) }));
    // In any order: those that are asked together, and those about several objects of a collection.
    if (isTogether(scenario) || step.request.startsWith('DELETE')) asked.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    const warning = headers['warning'];
    recorded.push({
      scenario: name,
      request: step.request,
      status,
      ...(warning !== undefined && { warning }),
      body: normalise(body),
      asked,
    });
  }
  for (const [path] of configurations(scenario, webhook))
    await must(send({ request: `DELETE ${GROUP}/${path}/${name}` }));
  // As it comes back from a file.
  return JSON.parse(JSON.stringify(recorded)) as Recorded[];
}

const isTogether = ({ webhooks }: Scenario): boolean => webhooks.every(({ type }) => type === 'validating');

const keyOf = ({ path, request }: { path: string; request: AdmissionReview['request'] }): string =>
  `${(request.oldObject as { metadata?: { name: string } } | null)?.metadata?.name} ${path}`;

type Send = (step: Step) => ReturnType<Transport['request']>;

function sender(transport: Transport, namespace: string): Send {
  return ({ request, body, contentType }) => {
    const [method, target] = request.split(' ') as [Method, string];
    const [path, query = ''] = target.replaceAll('$ns', namespace).split('?') as [string, string?];
    return transport.request({
      method,
      path,
      query: Object.fromEntries(new URLSearchParams(query)),
      headers: { 'user-agent': 'scenario/1.0' },
      ...(body && { body }),
      ...(contentType && { contentType }),
    });
  };
}

async function must(sent: ReturnType<Send>): Promise<void> {
  const { status, body } = await sent;
  if (status >= 300) throw new Error(JSON.stringify(body));
}

/** A kind that a step before defined is served a moment later. */
async function sendWhenServed(send: Send, step: Step): ReturnType<Send> {
  let response = await send(step);
  await until(
    `${step.request} is served`,
    async () => response.status !== 404 || (response = await send(step)).status !== 404,
  );
  return response;
}

function configurations({ name, webhooks }: Scenario, { port, caBundle }: WebhookServer): [string, object][] {
  const url = (does: string): string => `https://127.0.0.1:${port}${does}`;
  const common = {
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    namespaceSelector: { matchLabels: { scenario: name } },
    timeoutSeconds: 5,
  };
  const rules = [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['*'] }];
  const probe = {
    ...common,
    name: 'probe.example.com',
    rules,
    objectSelector: { matchLabels: { probe: name } },
    clientConfig: { url: url('/allow'), caBundle },
  };
  return (['mutating', 'validating'] as const).flatMap(kind => {
    const own = webhooks.filter(({ type }) => type === kind);
    if (own.length === 0) return [];
    const specs = own.map(({ type: _, does, ...spec }, index) => ({
      ...common,
      name: `hook-${index}.example.com`,
      rules,
      clientConfig: { url: url(does), caBundle },
      ...spec,
      ...(spec['clientConfig'] === 'untrusted' && { clientConfig: { url: url(does), caBundle: STRANGERS } }),
    }));
    return [[`${kind}webhookconfigurations`, { metadata: { name }, webhooks: [...specs, probe] }]] as [
      string,
      object,
    ][];
  });
}

/** An authority that certified nobody here. */
const STRANGERS = Buffer.from(createAuthority({ commonName: 'stranger' }).certificate).toString('base64');

/** Until the probes of all configurations are asked: then the webhooks before them are in place as well. */
async function untilAsked(scenario: Scenario, send: Send, webhook: WebhookServer): Promise<void> {
  const { name } = scenario;
  const wanted = new Set(scenario.webhooks.map(({ type }) => type)).size;
  const body = { metadata: { name: 'probe', labels: { probe: name } }, data: { given: 'probe' } };
  await until(`the webhooks of ${name} are asked`, async () => {
    await send({ request: `POST /api/v1/namespaces/${name}/configmaps?dryRun=All`, body });
    const probes = webhook.take().filter(([path, { request }]) => path === '/allow' && request.name === 'probe');
    return probes.length >= wanted;
  });
}
