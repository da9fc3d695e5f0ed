/** What the tests against a real API server need of it: JSON in, JSON out. */
import { Agent, request } from 'undici';
import type { RealApiServer } from '../../../../e2e/real/apiserver.ts';
import { until } from '../../../../e2e/real/until.ts';
import { findPeer } from '../../../../scripts/peers/find.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are whatever the server says; tests compare them
export type Call = (method: string, path: string, body?: unknown, contentType?: string) => Promise<any>;

export function callsTo({ url, caData, token }: RealApiServer): { call: Call; close(): Promise<void> } {
  const dispatcher = new Agent({ connect: { ca: Buffer.from(caData, 'base64').toString() } });
  const call: Call = async (method, path, body, contentType = 'application/json') => {
    const answer = await request(`${url}${path}`, {
      dispatcher,
      method: method as 'GET',
      headers: { authorization: `Bearer ${token}`, 'content-type': contentType },
      body: body === undefined ? null : JSON.stringify(body),
    });
    return answer.body.json();
  };
  return { call, close: () => dispatcher.close() };
}

/** Calls until the answer is no longer a 404, as right after a kind was defined. */
export async function onceServed(...[call, ...args]: [Call, ...Parameters<Call>]): ReturnType<Call> {
  let answer: Awaited<ReturnType<Call>>;
  await until('the kind is served', async () => {
    answer = await call(...args);
    return answer.code !== 404;
  });
  return answer;
}

export const hasRealServer = findPeer('kube-apiserver') !== undefined && findPeer('etcd') !== undefined;

interface Cause {
  readonly field: string;
  readonly message: string;
}

/** `field: message` for each cause of a 422; empty when the request was accepted. */
export function causesOf(answer: {
  code?: number;
  message?: string;
  reason?: string;
  details?: { causes?: Cause[] };
}): string[] {
  if (answer.code === undefined || answer.reason === 'AlreadyExists') return [];
  if (answer.code !== 422) return [`${answer.code} ${answer.message}`];
  return (answer.details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`);
}
