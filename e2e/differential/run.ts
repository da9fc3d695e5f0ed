import { setTimeout as delay } from 'node:timers/promises';
import type { Script, Step } from './script.ts';
import type { Answer, Request, Target } from './target.ts';
import { pick, substitute, type Variables } from './variables.ts';

/** What came back for one step: an answer, or the events of a watch. */
export type Result = { readonly title: string; readonly request: string } & (
  | { readonly answer: Answer; readonly events?: undefined }
  | { readonly answer?: undefined; readonly events: readonly unknown[] }
);

/** How long `until` of a step may take: a real server publishes a CustomResourceDefinition within a second or two. */
const patience = 20_000;

/** Sends a script's requests one after the other and returns what came back, as it came. */
export async function runScript(script: Script, target: Target): Promise<Result[]> {
  const variables: Variables = { ns: `script-${script.name}` };
  await createNamespace(target, variables['ns']!);
  const results: Result[] = [];
  for (const step of script.steps) {
    const result = await runStep(step, target, variables);
    for (const [name, path] of Object.entries(step.capture ?? {})) {
      const value = pick(result.answer?.body ?? result.events, path);
      // A server that answers otherwise has no such value; the requests that use it show the difference.
      variables[name] = value ?? `missing-${name}`;
    }
    results.push(result);
  }
  return results;
}

async function runStep(step: Step, target: Target, variables: Variables): Promise<Result> {
  const request = requestOf(step, variables);
  const named = { title: step.title, request: `${step.method} ${step.path}` };
  if (step.events !== undefined) {
    const outcome = await target.watch(request, step.events);
    return 'events' in outcome ? { ...named, events: outcome.events } : { ...named, answer: outcome };
  }
  const end = performance.now() + patience;
  for (;;) {
    const answer = await target.send(request);
    if (isAwaited(step, answer) || performance.now() > end) return { ...named, answer };
    await delay(50);
  }
}

function requestOf(step: Step, variables: Variables): Request {
  const { path, query = {}, body } = substitute({ path: step.path, query: step.query, body: step.body }, variables);
  const headers = { ...step.headers };
  if (body !== undefined) headers['content-type'] = step.contentType ?? 'application/json';
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { method: step.method, path, query, headers, ...(text !== undefined && { body: text }) };
}

function isAwaited({ until }: Step, { status, body }: Answer): boolean {
  if (until === undefined) return true;
  return status === until.status && (until.holds?.(body) ?? true);
}

async function createNamespace(target: Target, name: string): Promise<void> {
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const headers = { 'content-type': 'application/json' };
  const { status } = await target.send({ method: 'POST', path: '/api/v1/namespaces', query: {}, headers, body });
  if (status !== 201) throw new Error(`the Namespace ${name} could not be created: ${status}`);
}
