/** What the request path does around a strategy, without the store: for holding strategies against a real API server. */
import { deepClone } from '@capstan/kube';
import type { FieldError } from '../field-error.ts';
import type { Draft, KindDefinition, Stored, StrategyContext } from '../kind.ts';
import { invalid, StatusError } from '../status.ts';
import { validateMetadata, validateMetadataUpdate } from '../write/metadata.ts';
import { decodeErrors } from './decode-errors.ts';
import { builtinKinds } from './kinds.ts';
import { admitPod } from './pod-admission.ts';
import { cleanAnswer, mergePatch, type RecordedAnswer, type RecordedCase, SOME_UID } from './recorded-cases.fixture.ts';
import { allocatorOf } from './service-addresses.ts';

const context: StrategyContext = {
  clock: { now: () => 0, monotonic: () => 0, after: () => ({ cancel: () => undefined, unref: () => fail() }) },
  namespace: 'default',
  serviceAddresses: allocatorOf(() => [], { clusterIPs: '10.0.0.0/24', nodePorts: [30000, 32767] }),
};

function fail(): never {
  throw new Error('a strategy does not wait');
}

/** A create, or with a patch an update of `object`. */
export function answerOf(one: Omit<RecordedCase, 'name' | 'answer'>): RecordedAnswer {
  try {
    return answer(one);
  } catch (error) {
    if (error instanceof StatusError) return { code: error.status.code, body: deepClone(error.status) as never };
    throw error;
  }
}

/** What the request path does around a strategy, without the store. */
function answer(one: Omit<RecordedCase, 'name' | 'answer'>): RecordedAnswer {
  const kind = kindOf(one.object);
  const draft = deepClone(one.object) as Draft;
  const name = String(draft.metadata.name ?? draft.metadata.generateName ?? '');
  if (one.patch === undefined) {
    const decoded = decoded400(kind, draft);
    if (decoded) return decoded;
    kind.strategy.default(draft);
    Object.assign(draft.metadata, { uid: SOME_UID, namespace: kind.namespaced ? 'default' : undefined });
    if (kind.namespaced === false) delete draft.metadata.namespace;
    if (kind.kind === 'Pod') admitPod(draft, []);
    if (kind.strategy.tracksGeneration) draft.metadata.generation = 1;
    kind.strategy.prepareForCreate(draft, context);
    return settled(kind, name, draft, 201, undefined, [
      ...validateMetadata(draft.metadata, kind),
      ...kind.strategy.validate(draft),
    ]);
  }
  const old = draft as Stored;
  const next = mergePatch(deepClone(one.object), one.patch) as Draft;
  const decoded = decoded400(kind, next);
  if (decoded) return decoded;
  kind.strategy.default(next);
  const toStatus = one.through === 'status';
  if (toStatus) kind.strategy.prepareForStatusUpdate(next, old, context);
  else kind.strategy.prepareForUpdate(next, old, context);
  return settled(kind, name, next, 200, old, [
    ...validateMetadata(next.metadata, kind),
    ...validateMetadataUpdate(next.metadata, old.metadata),
    ...(toStatus ? kind.strategy.validateStatusUpdate(next, old) : kind.strategy.validateUpdate(next, old)),
  ]);
}

function settled(
  kind: KindDefinition,
  name: string,
  draft: Draft,
  code: number,
  old: Stored | undefined,
  errors: readonly FieldError[],
): RecordedAnswer {
  if (errors.length > 0) return cleanAnswer(422, deepClone(invalid(kind, name, errors).status) as never);
  const warnings = kind.strategy.warnings?.(draft, old) ?? [];
  return { ...cleanAnswer(code, draft), ...(warnings.length > 0 && { warnings }) };
}

function decoded400(kind: KindDefinition, draft: Draft): RecordedAnswer | undefined {
  const [first] = decodeErrors(draft, kind.schema);
  if (first === undefined) return undefined;
  const message = `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${first}`;
  return { code: 400, body: { message } };
}

export function kindOf(object: Record<string, unknown>): KindDefinition {
  const apiVersion = String(object['apiVersion']);
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  return builtinKinds().find(kind => kind.kind === object['kind'] && kind.group === group && kind.version === version)!;
}

/** An accepted object without what no two servers have in common: its uid and the addresses it was given. */
export function comparableObject({ body, code }: RecordedAnswer): Draft {
  const object = deepClone(body) as Draft;
  delete object.metadata['uid'];
  // The request path counts it on updates; a strategy says whether a new object has one.
  if (code !== 201) delete object.metadata.generation;
  dropAdmitted(object);
  if (object.kind === 'Service' && object['spec'].clusterIP && object['spec'].clusterIP !== 'None') {
    object['spec'].clusterIP = 'AN-ADDRESS';
    object['spec'].clusterIPs = ['AN-ADDRESS'];
  }
  for (const port of object['spec']?.ports ?? []) if (port.nodePort) port.nodePort = 'A-PORT';
  return object;
}

/**
 * Added by admission plugins which wait for a controller to take it away again (node lifecycle, volume protection). Capstan's
 * cluster has no such controllers, so what they would remove must not be added.
 */
function dropAdmitted(object: Draft): void {
  const finalizers = object.metadata.finalizers?.filter(name => !/^kubernetes.io\/pvc?-protection$/.test(name)) ?? [];
  if (finalizers.length > 0) object.metadata.finalizers = finalizers;
  else delete object.metadata.finalizers;
  if (object.kind !== 'Node' || !object['spec'].taints) return;
  const taints = object['spec'].taints.filter((taint: { key: string }) => taint.key !== 'node.kubernetes.io/not-ready');
  if (taints.length > 0) object['spec'].taints = taints;
  else delete object['spec'].taints;
}
