import type { Answer } from './answer.ts';
import type { Kinds } from './kinds.ts';
import { noSuchPath } from './status.ts';

/** Where nothing of the API is, Kubernetes answers as any web server. */
export const PAGE_NOT_FOUND: Answer = {
  kind: 'text',
  status: 404,
  type: 'text/plain; charset=utf-8',
  text: '404 page not found\n',
};

/** What is missing in a group: the groups of Kubernetes itself say so with a Status, those of custom resources do not. */
export function nothingIn(kinds: Kinds, group: string): Answer {
  if (kinds.isBuiltinGroup(group)) throw noSuchPath();
  return PAGE_NOT_FOUND;
}
