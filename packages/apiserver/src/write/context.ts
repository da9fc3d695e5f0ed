/** Everything a write needs to know about the request that asks for it. */
import type { Clock, Random } from '@capstan/kube';
import { allocatorOf } from '../builtins/index.ts';
import { type FieldError, forbiddenValue, invalidValue, requiredValue, unsupportedValue } from '../field-error.ts';
import type { Draft, KindDefinition, Stored, StrategyContext } from '../kind.ts';
import type { Kinds } from '../kinds.ts';
import { booleanParameter, type ServerRequest, type User } from '../request.ts';
import { invalid } from '../status.ts';
import type { Store } from '../store/store.ts';
import type { Views } from '../views.ts';
import type { DeleteOptions } from './delete-options.ts';

export interface WriteContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly kinds: Kinds;
  readonly views: Views;
  readonly kind: KindDefinition;
  readonly namespace: string | undefined;
  /** Of the path; undefined for a collection, and for what is created by POST. */
  readonly name?: string | undefined;
  readonly subresource: '' | 'status' | 'scale' | 'token' | 'finalize' | 'binding' | 'eviction';
  /** What the path names, where the object is of another kind: the Deployment of a Scale, the Pod of a Binding. */
  readonly resource?: KindDefinition | undefined;
  readonly user: User;
  readonly options: WriteOptions;
  /** Server-side apply: the field managers are worked out with the new state, not from it. */
  readonly applying: boolean;
  /** Puts a sentence into the Warning header. */
  warn(text: string): void;
  readonly admission: Admission;
}

/** What a kind's strategy may know. */
export function strategyContext({ clock, namespace, store }: WriteContext): StrategyContext {
  const services = function* (): Generator<Stored> {
    for (const entry of store.heads('/services')) yield entry.object;
  };
  return {
    clock,
    namespace,
    get serviceAddresses() {
      return allocatorOf(services);
    },
  };
}

export interface WriteOptions {
  readonly dryRun: boolean;
  /** Who owns what this write sets. */
  readonly manager: string;
  readonly force: boolean;
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict';
  /** As the client named them; empty where it left them out. */
  readonly given: { readonly fieldManager: string; readonly fieldValidation: string };
}

/** What may change or refuse a write. */
export interface Admission {
  /** Between decoding and validation. May change the object. */
  admit(operation: AdmissionOperation, context: WriteContext): Draft | Promise<Draft>;
  /** After validation, on what is about to be stored. May only refuse; undefined: there was nobody to ask. */
  validate(operation: AdmissionOperation, context: WriteContext): Promise<void> | undefined;
}

/** For writes that were admitted already, as part of another. */
export const ADMITTED: Admission = { admit: ({ object }) => object, validate: () => undefined };

export type AdmissionOperation =
  | { readonly type: 'CREATE'; readonly object: Draft }
  | { readonly type: 'UPDATE'; readonly object: Draft; readonly old: Stored }
  | { readonly type: 'DELETE'; readonly object: Draft; readonly old: Stored; readonly options: DeleteOptions };

/** The longest name of a field manager. */
const MANAGER_LIMIT = 128;

export function writeOptions({ method, query, headers }: ServerRequest, applying: boolean): WriteOptions {
  const kind = method === 'PUT' ? 'UpdateOptions' : method === 'PATCH' ? 'PatchOptions' : 'CreateOptions';
  const dryRun = query.getAll('dryRun');
  const fieldValidation = query.get('fieldValidation') || 'Warn';
  const named = query.get('fieldManager') ?? '';
  const errors: FieldError[] = [];
  if (method === 'PATCH') {
    if (applying && named === '') errors.push(requiredValue('fieldManager', 'is required for apply patch'));
    if (!applying && query.has('force')) {
      errors.push(forbiddenValue('force', 'may not be specified for non-apply patch'));
    }
  }
  errors.push(...managerErrors(named));
  if (dryRun.some(value => value !== 'All')) errors.push(unsupportedValue('dryRun', dryRun, ['All']));
  if (!isFieldValidation(fieldValidation)) {
    errors.push(unsupportedValue('fieldValidation', fieldValidation, ['', 'Ignore', 'Strict', 'Warn']));
  }
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', plural: '', kind }, '', errors);
  return {
    dryRun: dryRun.length > 0,
    manager: named || managerFromUserAgent(headers['user-agent']),
    force: booleanParameter(query, 'force'),
    fieldValidation: fieldValidation as WriteOptions['fieldValidation'],
    given: { fieldManager: named, fieldValidation: query.get('fieldValidation') ?? '' },
  };
}

const isFieldValidation = (text: string): boolean => text === 'Ignore' || text === 'Warn' || text === 'Strict';

function managerErrors(manager: string): FieldError[] {
  const errors: FieldError[] = [];
  if (manager.length > MANAGER_LIMIT) {
    const detail = `may not be more than ${MANAGER_LIMIT} bytes`;
    errors.push({ type: 'FieldValueTooLong', field: 'fieldManager', badValue: manager, detail });
  }
  let position = 0;
  for (const character of manager) {
    // As Go's unicode.IsPrint: letters, marks, numbers, punctuation, symbols and the plain space.
    if (!/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character)) {
      const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
      errors.push(invalidValue('fieldManager', manager, `invalid character U+${code} (at position ${position})`));
    }
    position += Buffer.byteLength(character);
  }
  return errors;
}

/** `kubectl/v1.37.1 (linux/amd64) …` is `kubectl`. */
function managerFromUserAgent(userAgent: string | undefined): string {
  return (userAgent ?? '').split('/', 1)[0]!.slice(0, MANAGER_LIMIT) || 'unknown';
}
