/** The query of a list or watch, read and checked as Kubernetes does. */
import { type FieldError, forbiddenValue, unsupportedValue } from '../field-error.ts';
import { booleanParameter, integerParameter } from '../request.ts';
import { failure, invalid } from '../status.ts';

export interface ListOptions {
  readonly limit: number;
  readonly continue: string;
  /** `''`: the newest; `'0'`: any; else a number. */
  readonly resourceVersion: string;
  readonly match: '' | 'Exact' | 'NotOlderThan';
  readonly timeoutSeconds: number | undefined;
  readonly bookmarks: boolean;
  /** Three-valued: absent means the older behaviour of a watch without a version. */
  readonly sendInitialEvents: boolean | undefined;
}

const SUBJECT = { group: 'meta.k8s.io', plural: 'listoptions', kind: 'ListOptions' };

export function listOptions(query: URLSearchParams, watch: boolean): ListOptions {
  const options: ListOptions = {
    limit: integerParameter(query, 'limit') ?? 0,
    continue: query.get('continue') ?? '',
    resourceVersion: query.get('resourceVersion') ?? '',
    match: (query.get('resourceVersionMatch') ?? '') as ListOptions['match'],
    timeoutSeconds: integerParameter(query, 'timeoutSeconds'),
    bookmarks: booleanParameter(query, 'allowWatchBookmarks'),
    sendInitialEvents: query.has('sendInitialEvents') ? booleanParameter(query, 'sendInitialEvents') : undefined,
  };
  const errors = watch ? watchErrors(options) : listErrors(options);
  if (errors.length > 0) throw invalid(SUBJECT, '', errors);
  return options;
}

export const isRevision = (resourceVersion: string): boolean => /^\d{0,15}$/.test(resourceVersion);

export function notARevision(resourceVersion: string): string {
  const text = JSON.stringify(resourceVersion);
  return `resourceVersion: Invalid value: ${text}: strconv.ParseUint: parsing ${text}: invalid syntax`;
}

/** The version as a number; 0 for both `''` and `'0'`. */
export function requestedRevision(resourceVersion: string): number {
  if (!isRevision(resourceVersion)) throw failure(500, '', notARevision(resourceVersion));
  return Number(resourceVersion);
}

function listErrors({ match, resourceVersion, ...options }: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  const forbid = (why: string): number => errors.push(forbiddenValue('resourceVersionMatch', why));
  if (match.length > 0) {
    if (resourceVersion === '') forbid('resourceVersionMatch is forbidden unless resourceVersion is provided');
    if (options.continue !== '') forbid('resourceVersionMatch is forbidden when continue is provided');
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      errors.push(unsupportedValue('resourceVersionMatch', match, ['Exact', 'NotOlderThan', '']));
    }
    if (match === 'Exact' && resourceVersion === '0') {
      forbid('resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
    }
  }
  if (options.sendInitialEvents !== undefined) {
    errors.push(forbiddenValue('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  return errors;
}

function watchErrors({ match, sendInitialEvents, ...options }: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  const forbid = (why: string): number => errors.push(forbiddenValue('resourceVersionMatch', why));
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    forbid('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
  }
  if (match.length > 0) {
    if (sendInitialEvents === undefined) {
      forbid('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided');
    }
    if (match !== 'NotOlderThan') errors.push(unsupportedValue('resourceVersionMatch', match, ['NotOlderThan']));
    if (options.continue !== '') forbid('resourceVersionMatch is forbidden when continue is provided');
  }
  return errors;
}
