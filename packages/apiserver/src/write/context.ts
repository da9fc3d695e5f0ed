/** Everything a write needs to know about the request that asks for it. */
import type { Clock, Random } from '@capstan/kube';
import { unsupportedValue } from '../field-error.ts';
import type { Draft, KindDefinition, Stored } from '../kind.ts';
import type { Kinds } from '../kinds.ts';
import { booleanParameter, type ServerRequest, type User } from '../request.ts';
import { badRequest, invalid } from '../status.ts';
import type { Store } from '../store/store.ts';

export interface WriteContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly kinds: Kinds;
  readonly kind: KindDefinition;
  readonly namespace: string | undefined;
  readonly subresource: '' | 'status';
  readonly user: User;
  readonly options: WriteOptions;
  /** Server-side apply: the field managers are worked out with the new state, not from it. */
  readonly applying: boolean;
  /** Puts a sentence into the Warning header. */
  warn(text: string): void;
  readonly admission: Admission;
}

export interface WriteOptions {
  readonly dryRun: boolean;
  /** Who owns what this write sets. */
  readonly manager: string;
  readonly force: boolean;
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict';
}

/** What may change or refuse a write between decoding and validation. */
export interface Admission {
  admit(operation: AdmissionOperation, context: WriteContext): Draft | Promise<Draft>;
}

export type AdmissionOperation =
  | { readonly type: 'CREATE'; readonly object: Draft }
  | { readonly type: 'UPDATE'; readonly object: Draft; readonly old: Stored }
  | { readonly type: 'DELETE'; readonly object: Draft; readonly old: Stored };

const OPTIONS_SUBJECT = { group: 'meta.k8s.io', plural: '', kind: 'CreateOptions' };
/** The longest name of a field manager. */
const MANAGER_LIMIT = 128;

export function writeOptions(request: ServerRequest, applying: boolean): WriteOptions {
  const { query, headers } = request;
  const kind =
    request.method === 'PUT' ? 'UpdateOptions' : request.method === 'PATCH' ? 'PatchOptions' : 'CreateOptions';
  const subject = { ...OPTIONS_SUBJECT, kind };
  const dryRun = query.getAll('dryRun').filter(value => value !== '');
  for (const value of dryRun) {
    if (value !== 'All') throw invalid(subject, '', [unsupportedValue('dryRun', dryRun, ['All'])]);
  }
  const fieldValidation = query.get('fieldValidation') || 'Warn';
  if (fieldValidation !== 'Ignore' && fieldValidation !== 'Warn' && fieldValidation !== 'Strict') {
    throw invalid(subject, '', [
      unsupportedValue('fieldValidation', fieldValidation, ['', 'Ignore', 'Strict', 'Warn']),
    ]);
  }
  const named = query.get('fieldManager') ?? '';
  if (applying && named === '') {
    throw badRequest(
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    );
  }
  if (named.length > MANAGER_LIMIT) {
    throw invalid(subject, '', [
      {
        type: 'FieldValueTooLong',
        field: 'fieldManager',
        badValue: named,
        detail: `may not be more than ${MANAGER_LIMIT} bytes`,
      },
    ]);
  }
  const force = booleanParameter(query, 'force');
  if (query.has('force') && !applying) {
    throw invalid(subject, '', [
      { type: 'FieldValueForbidden', field: 'force', badValue: '', detail: 'may not be specified for non-apply patch' },
    ]);
  }
  return {
    dryRun: dryRun.length > 0,
    manager: named || managerFromUserAgent(headers['user-agent']),
    force,
    fieldValidation,
  };
}

/** `kubectl/v1.37.1 (linux/amd64) …` is `kubectl`. */
function managerFromUserAgent(userAgent: string | undefined): string {
  return (userAgent ?? '').split('/', 1)[0]!.slice(0, MANAGER_LIMIT) || 'unknown';
}
