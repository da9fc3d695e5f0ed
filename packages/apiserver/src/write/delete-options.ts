import type { Json } from '@capstan/kube';
import { type FieldError, invalidValue, unsupportedValue } from '../field-error.ts';
import { integerParameter, type ServerRequest } from '../request.ts';
import { DecodeError } from '../schema/decode.ts';
import { isObject, type JsonObject } from '../schema/json.ts';
import { badRequest, invalid } from '../status.ts';
import { OBJECT_MEDIA_TYPES, parseBody } from './decode.ts';

export interface DeleteOptions {
  readonly gracePeriodSeconds: number | undefined;
  /** Undefined: what the object's finalizers or the kind say. */
  readonly propagation: 'Orphan' | 'Foreground' | 'Background' | undefined;
  readonly preconditions: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun: boolean;
  /** The older way to ask for dependents to be deleted; then an object that is not gone yet is answered with 202. */
  readonly orphanDependents: boolean | undefined;
}

const SUBJECT = { group: 'meta.k8s.io', plural: '', kind: 'DeleteOptions' };

/** From the body, or from the query where there is none. */
export function deleteOptions(request: ServerRequest): DeleteOptions {
  const value = parsed(request);
  refuseOtherKind(value);
  const given = value === null ? fromQuery(request.query) : isObject(value) ? value : undefined;
  if (given === undefined) throw badRequest('decoded object cannot be converted to DeleteOptions');
  const options = readDeleteOptions(given);
  return { ...options, dryRun: options.dryRun || request.query.getAll('dryRun').includes('All') };
}

function parsed(request: ServerRequest): Json {
  try {
    return parseBody(request.body, request.headers['content-type'], OBJECT_MEDIA_TYPES).value;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw badRequest(`couldn't get version/kind; json parse error: ${error.reason}`);
  }
}

/** Checks options as they stand in a body. */
export function readDeleteOptions(given: JsonObject): DeleteOptions {
  const policy = given.propagationPolicy ?? undefined;
  const orphan = given.orphanDependents ?? undefined;
  const dryRun = Array.isArray(given.dryRun) ? given.dryRun : [];
  const errors: FieldError[] = [];
  if (policy !== undefined && orphan !== undefined) {
    const why = 'orphanDependents and deletionPropagation cannot be both set';
    errors.push(invalidValue('propagationPolicy', policy, why));
  }
  if (policy !== undefined && !isPolicy(policy)) {
    errors.push(unsupportedValue('propagationPolicy', policy, ['Foreground', 'Background', 'Orphan', 'nil']));
  }
  if (dryRun.some(one => one !== 'All')) errors.push(unsupportedValue('dryRun', dryRun, ['All']));
  if (errors.length > 0) throw invalid(SUBJECT, '', errors);

  const grace = given.gracePeriodSeconds;
  if (grace !== undefined && grace !== null && !Number.isSafeInteger(grace)) {
    throw badRequest('gracePeriodSeconds must be an integer');
  }
  const preconditions = isObject(given.preconditions ?? null) ? (given.preconditions as JsonObject) : {};
  return {
    // A negative period means the shortest that is still graceful.
    gracePeriodSeconds: typeof grace === 'number' ? (grace < 0 ? 1 : grace) : undefined,
    propagation: isPolicy(policy) ? policy : orphan === true ? 'Orphan' : orphan === false ? 'Background' : undefined,
    preconditions: {
      ...(typeof preconditions.uid === 'string' && { uid: preconditions.uid }),
      ...(typeof preconditions.resourceVersion === 'string' && { resourceVersion: preconditions.resourceVersion }),
    },
    dryRun: dryRun.length > 0,
    orphanDependents: typeof orphan === 'boolean' ? orphan : undefined,
  };
}

/** Clients of old send DeleteOptions in the version of the kind they delete. */
function refuseOtherKind(value: Json): void {
  if (!isObject(value) || value.kind === undefined || value.kind === 'DeleteOptions') return;
  const text = `no kind ${JSON.stringify(value.kind)} is registered for version ${JSON.stringify(value.apiVersion ?? '')}`;
  throw badRequest(`${text} in scheme "pkg/runtime/scheme.go:111"`);
}

function isPolicy(value: unknown): value is 'Orphan' | 'Foreground' | 'Background' {
  return value === 'Orphan' || value === 'Foreground' || value === 'Background';
}

function fromQuery(query: URLSearchParams): JsonObject {
  const grace = integerParameter(query, 'gracePeriodSeconds');
  const policy = query.get('propagationPolicy');
  const orphan = query.get('orphanDependents');
  return {
    ...(grace !== undefined && { gracePeriodSeconds: grace }),
    ...(policy && { propagationPolicy: policy }),
    ...(orphan && { orphanDependents: orphan === 'true' }),
    dryRun: query.getAll('dryRun').filter(value => value !== ''),
  };
}
