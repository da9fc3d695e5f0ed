/** From options to query parameters. A parameter that is `undefined` is not sent. */
import { fieldMatcher } from '../selectors/field-selector.ts';
import { labelSelectorText } from '../selectors/label-selector.ts';
import type { ApiRequest } from '../transport.ts';
import type { DeleteOptions, ListOptions, SelectionOptions, WatchOptions, WriteOptions } from './options.ts';

type Query = NonNullable<ApiRequest['query']>;

export function selectionQuery({ labels, fields }: SelectionOptions): Query {
  return {
    labelSelector: (labels === undefined ? '' : labelSelectorText(labels)) || undefined,
    fieldSelector: (fields === undefined ? '' : fieldMatcher(fields).toString()) || undefined,
  };
}

export function listQuery(options: Omit<ListOptions, 'transform'>): Query {
  const { limit, resourceVersion, resourceVersionMatch } = options;
  return {
    ...selectionQuery(options),
    limit: limit === undefined ? undefined : String(limit),
    continue: options.continue,
    resourceVersion,
    resourceVersionMatch,
  };
}

export function watchQuery(options: Omit<WatchOptions, 'transform'>): Query {
  const { name, from, bookmarks = true, sendInitialEvents, timeoutSeconds } = options;
  const selection = selectionQuery(options);
  const oneName = name === undefined ? undefined : fieldMatcher({ 'metadata.name': name }).toString();
  const fieldSelectors = [oneName, selection['fieldSelector']].filter(part => part !== undefined);
  return {
    ...selection,
    fieldSelector: fieldSelectors.join(',') || undefined,
    watch: 'true',
    allowWatchBookmarks: bookmarks ? 'true' : undefined,
    resourceVersion: from,
    sendInitialEvents: sendInitialEvents === undefined ? undefined : String(sendInitialEvents),
    // The server insists on it whenever initial events are mentioned.
    resourceVersionMatch: sendInitialEvents === undefined ? undefined : 'NotOlderThan',
    timeoutSeconds: timeoutSeconds === undefined ? undefined : String(timeoutSeconds),
  };
}

export function writeQuery({ owner, dryRun, fieldValidation }: WriteOptions, defaultOwner: string | undefined): Query {
  return { fieldManager: owner ?? defaultOwner, dryRun: dryRun ? 'All' : undefined, fieldValidation };
}

/** The body of a deletion; none if nothing special is asked for. */
export function deleteBody({ preconditions, propagation, grace, dryRun }: DeleteOptions): object | undefined {
  const asked = {
    ...(preconditions === undefined ? {} : { preconditions }),
    ...(propagation === undefined ? {} : { propagationPolicy: propagation }),
    ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
    ...(dryRun ? { dryRun: ['All'] } : {}),
  };
  return Object.keys(asked).length === 0 ? undefined : { apiVersion: 'v1', kind: 'DeleteOptions', ...asked };
}
