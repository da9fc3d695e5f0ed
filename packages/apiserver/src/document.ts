/** Answers that clients keep: they carry a hash of themselves, and are not sent again to who has them. */
import { createHash } from 'node:crypto';
import type { Answer } from './answer.ts';
import type { ServerRequest } from './request.ts';

export interface Document {
  readonly type: string;
  readonly bytes: Buffer;
  /** Of what it says: forms of the same document share it. */
  readonly hash: string;
}

export const hashOf = (content: string | Buffer): string =>
  createHash('sha512').update(content).digest('hex').toUpperCase();

/** The document, or that it has not changed. `headers` may allow to keep it without asking again. */
export function documentAnswer(
  request: ServerRequest,
  { type, bytes, hash }: Document,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const etag = `"${hash}"`;
  const all = { etag, vary: 'Accept', ...headers };
  const known = (request.headers['if-none-match'] ?? '')
    .split(',')
    .some(one => one.trim().replace(/^W\//, '') === etag);
  if (known) return { kind: 'document', status: 304, type, bytes: Buffer.alloc(0), headers: all };
  return { kind: 'document', status: 200, type, bytes, headers: all };
}

/** Without a body: that there is nothing, that it is not to be had in this form, or that it is elsewhere. */
export function emptyAnswer(status: 301 | 404 | 406, headers: Readonly<Record<string, string>> = {}): Answer {
  return { kind: 'document', status, type: 'text/plain; charset=utf-8', bytes: Buffer.alloc(0), headers };
}
