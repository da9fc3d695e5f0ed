/** What people with rights try, sent to a real API server once (`record-decisions.fixture.ts`), and to ours always. */
import type { ApiRequest, Impersonation, Method, Transport } from '@capstan/kube';
import type { Draft } from '../kind.ts';
import { type Attempt, attempts } from './attempts.fixture.ts';
import { setUp } from './people.fixture.ts';

export interface Recorded {
  readonly who: string;
  readonly request: string;
  readonly status: number;
  /** Of a refusal: what it says. Of a review: its status. */
  readonly answer?: unknown;
}

/** Creates roles, bindings and what else there is, as an administrator. */
export async function prepare(transport: Transport): Promise<void> {
  for (const [path, body] of setUp) {
    const { status, body: answer } = await transport.request({ method: 'POST', path, body });
    if (status !== 201) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  }
}

/** Everything that everyone tries, in order; nothing of it changes anything. */
export async function tryAll(transport: Transport): Promise<readonly Recorded[]> {
  const results: Recorded[] = [];
  for (const attempt of attempts) results.push(await tryOne(transport, attempt));
  return results;
}

async function tryOne(transport: Transport, { who, request, body }: Attempt): Promise<Recorded> {
  const [method, target] = request.split(/ (.*)/s) as [Method, string];
  const [path, query = ''] = target.split('?') as [string, string?];
  const [user, ...groups] = who.split('+') as [string, ...string[]];
  const impersonate: Impersonation = { user, ...(groups.length > 0 && { groups }) };
  const sent: ApiRequest = {
    method,
    path: encodeURI(path),
    query: Object.fromEntries(new URLSearchParams(query)),
    impersonate,
    ...(body && { body }),
    ...(method === 'PATCH' && {
      contentType: query.includes('fieldManager') ? 'application/apply-patch+yaml' : 'application/merge-patch+json',
    }),
  };
  if (/watch/.test(target)) {
    const opened = await transport.watch(sent);
    if (!opened.refused) return { who, request, status: 200 };
    return answered(who, request, opened.refused.status, opened.refused.body);
  }
  const { status, body: answer } = await transport.request(sent);
  return answered(who, request, status, answer);
}

function answered(who: string, request: string, status: number, body: unknown): Recorded {
  const { message, reason, details, status: review, spec } = (body ?? {}) as Draft;
  const isRefusal = status >= 400 && typeof body === 'object';
  const isReview = /reviews$/.test(request) && status === 201;
  const answer = isRefusal ? { message, reason, details } : isReview ? { spec, status: review } : undefined;
  for (const rules of [review?.resourceRules, review?.nonResourceRules]) sortRules(rules);
  // As it comes back from a file.
  return JSON.parse(JSON.stringify({ who, request, status, answer })) as Recorded;
}

/** Kubernetes lists them in the order of a Go map: any. */
function sortRules(rules: object[] | undefined): void {
  rules?.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
