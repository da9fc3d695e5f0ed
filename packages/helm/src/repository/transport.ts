/** HTTP for repositories and registries: bounded answers, redirects followed, credentials kept to the host they are for. */

import { request } from 'undici';
import { HelmError } from '../errors.ts';

export interface HttpAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface HttpQuestion {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** More bytes than this are an error. */
  readonly limit: number;
}

/** One request without redirects. Tests answer it from memory. */
export type Transport = (question: HttpQuestion) => Promise<HttpAnswer>;

export const httpTransport: Transport = async ({ url, headers = {}, limit }) => {
  const answer = await request(url, { headers: { 'user-agent': 'Helm/4.3.1', ...headers } });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > limit) {
      answer.body.destroy();
      throw new HelmError('DownloadFailed', `${url} answered more than ${limit} bytes`);
    }
    chunks.push(chunk);
  }
  const pairs = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as const);
  return { status: answer.statusCode, headers: Object.fromEntries(pairs), body: Buffer.concat(chunks) };
};

const maxRedirects = 10;

/** Follows redirects; what is secret (`authorization`) does not go to another host, nor from HTTPS to HTTP. */
export async function ask(transport: Transport, question: HttpQuestion): Promise<HttpAnswer> {
  let current = question;
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const answer = await attempt(transport, current);
    const location = answer.headers['location'];
    if (answer.status < 300 || answer.status >= 400 || location === undefined) return answer;
    current = redirected(current, location);
  }
  throw new HelmError('DownloadFailed', `${question.url} redirects more than ${maxRedirects} times`);
}

async function attempt(transport: Transport, question: HttpQuestion): Promise<HttpAnswer> {
  try {
    return await transport(question);
  } catch (error) {
    if (error instanceof HelmError) throw error;
    throw new HelmError('DownloadFailed', `${question.url} cannot be reached: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function redirected(question: HttpQuestion, location: string): HttpQuestion {
  const from = new URL(question.url);
  const to = new URL(location, from);
  if (to.protocol !== 'https:' && to.protocol !== 'http:') {
    throw new HelmError('DownloadFailed', `${question.url} redirects to ${to.protocol}, which is not followed`);
  }
  const same = to.host === from.host && !(from.protocol === 'https:' && to.protocol === 'http:');
  const { authorization: _, ...rest } = question.headers ?? {};
  return { ...question, url: to.href, headers: same ? (question.headers ?? {}) : rest };
}
