import type { Answer } from '../answer.ts';
import type { KindDefinition } from '../kind.ts';
import { badRequest, expired, failure, StatusError } from '../status.ts';
import { tableOf, viewOf } from '../storage.ts';
import type { Entry } from '../store/entry.ts';
import { RevisionExpired, type Store } from '../store/store.ts';
import type { Views } from '../views.ts';
import { decodeContinue, encodeContinue } from './continue-token.ts';
import { isRevision, type ListOptions, notARevision, requestedRevision } from './list-options.ts';
import type { Selection } from './selection.ts';

/** A page of a list, or all of it. */
export async function list(
  { store, views }: { readonly store: Store; readonly views: Views },
  kind: KindDefinition,
  selected: Selection,
  options: ListOptions,
): Promise<Answer> {
  if (options.continue !== '' && options.resourceVersion !== '' && options.resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  const from = options.continue === '' ? startOf(store, options) : continueFrom(store, options.continue);
  const all = entriesAt(store, kind, selected.prefix, from, options);
  if (kind.conversionWebhook) await views.ready(kind, all);
  const view = viewOf(kind);
  const page: Entry[] = [];
  let next: string | undefined;
  let seen = 0;
  for (const stored of all) {
    seen++;
    if (from.after !== '' && stored.key.slice(selected.prefix.length) < from.after) continue;
    // As in Kubernetes there is a next page as soon as there is a next object, whether it is selected or not.
    if (options.limit > 0 && page.length === options.limit) {
      next = page.at(-1)!.key.slice(selected.prefix.length);
      seen--;
      break;
    }
    const entry = view(stored);
    if (!selected.filtered || selected.matches(entry.object)) page.push(entry);
  }
  return {
    kind: 'list',
    shape: kind,
    entries: page,
    metadata: {
      ...(kind.custom && { continue: '' }), // unstructured lists always show theirs
      resourceVersion: String(from.revision),
      ...(next !== undefined && {
        continue: encodeContinue({ revision: from.inconsistent ? -1 : from.revision, start: `${next}\0` }),
        ...(!selected.filtered && { remainingItemCount: all.length - seen }),
      }),
    },
  };
}

/** Where a page begins: at which revision, after which key. */
interface Start {
  readonly revision: number;
  readonly after: string;
  /** Go on with today's state although the pages before showed an older one. */
  readonly inconsistent?: boolean;
}

function startOf(store: Store, options: ListOptions): Start {
  if (!isRevision(options.resourceVersion))
    throw badRequest(`invalid resource version: ${notARevision(options.resourceVersion)}`);
  const wanted = requestedRevision(options.resourceVersion);
  if (wanted > store.revision) throw tooLargeRevision(wanted, store.revision);
  // A version with a limit has always meant exactly that version, unless the match says otherwise.
  const exact = options.match === 'Exact' || (options.match === '' && options.limit > 0 && wanted > 0);
  return { revision: exact ? wanted : store.revision, after: '' };
}

function entriesAt(store: Store, kind: KindDefinition, prefix: string, from: Start, options: ListOptions) {
  if (from.revision === store.revision) return store.list(tableOf(kind), prefix);
  try {
    return store.listAt(tableOf(kind), prefix, from.revision);
  } catch (error) {
    if (!(error instanceof RevisionExpired)) throw error;
    if (options.continue === '') {
      throw expired(`The resourceVersion for the provided list is too old.`);
    }
    throw expiredToken(from.after);
  }
}

function continueFrom(store: Store, token: string): Start {
  const { revision, start } = decodeContinue(token);
  if (revision < 0) return { revision: store.revision, after: start, inconsistent: true };
  if (revision > store.revision) throw expiredToken(start);
  return { revision, after: start };
}

function expiredToken(start: string): StatusError {
  const { status } = expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
      'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
      'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
      'deleted between the time the first chunk was returned and now may show up in the list.',
  );
  return new StatusError({ ...status, metadata: { continue: encodeContinue({ revision: -1, start }) } });
}

/** The client has seen a version that this server has not reached: it talks to the wrong server, or to a restored backup. */
export function tooLargeRevision(requested: number, current: number): StatusError {
  return failure(504, 'Timeout', `Too large resource version: ${requested}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}
