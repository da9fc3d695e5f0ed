/** The /scale subresource: one small object for autoscalers and `kubectl scale`, whatever the kind. */
import { apiVersionOf, deepClone, labelSelectorText, type ManagedFieldsEntry } from '@capstan/kube';
import { managedFieldsOfScale, managedFieldsOfScaled, type ReplicasPaths } from '../apply/index.ts';
import { invalidValue } from '../field-error.ts';
import type { Draft, ScaleSubresource, Stored } from '../kind.ts';
import type { ServerRequest } from '../request.ts';
import { conflict, invalid, methodNotAllowed, modified, notFound, type Subject } from '../status.ts';
import { keyOf, tableOf } from '../storage.ts';
import { ADMITTED, type Admission, type WriteContext } from './context.ts';
import { decodeObject } from './decode.ts';
import { applied, trackUpdated } from './field-managers.ts';
import { isApply, patched, patchValue } from './patch.ts';
import { transientKind } from './transient-kind.ts';
import { change, refuseOtherName } from './update.ts';

/** GET, PUT and PATCH of /scale. */
export async function handleScale(
  context: WriteContext,
  name: string,
  request: ServerRequest,
  paths: ScaleSubresource,
): Promise<Draft> {
  if (request.method === 'GET') return readScale(context, name, paths);
  if (request.method !== 'PUT' && request.method !== 'PATCH') throw methodNotAllowed();
  const scaling: WriteContext = { ...context, kind: SCALE, resource: context.kind, subresource: 'scale' };
  const make = wantedScale(scaling, request, name);
  const scaled: WriteContext = { ...context, applying: true, admission: asScale(scaling, paths) };
  const { entry } = await change(scaled, name, false, async current => {
    const live = scaleOf(current!, paths, context);
    const submitted = make(live);
    if (!context.applying) trackUpdated(scaling, live as Stored, submitted);
    const old = live as Stored;
    const wanted = await context.admission.admit({ type: 'UPDATE', object: submitted, old }, scaling);
    check(context.kind, live, wanted, name);
    return withScale(deepClone(current!) as Draft, wanted, paths, context);
  });
  const { managedFields, ...metadata } = scaleOf(entry.object, paths, context).metadata;
  return { ...scaleOf(entry.object, paths, context), metadata };
}

/** Who has a say in the change of an object hears of it as its Scale. */
function asScale(scaling: WriteContext, paths: ScaleSubresource): Admission {
  const context: WriteContext = { ...scaling, kind: scaling.resource! };
  const shown = (object: Stored): Draft => {
    const scale = scaleOf(object, paths, context);
    delete scale.metadata['managedFields'];
    return scale;
  };
  return {
    ...ADMITTED,
    validate(operation) {
      if (operation.type !== 'UPDATE') return undefined;
      const { object, old } = operation;
      return scaling.admission.validate(
        { type: 'UPDATE', object: shown(object as Stored), old: shown(old) as Stored },
        scaling,
      );
    },
  };
}

/** Makes the Scale that the request asks for. A body that is none is refused before anything is looked up. */
function wantedScale(context: WriteContext, request: ServerRequest, name: string): (live: Draft) => Draft {
  const contentType = request.headers['content-type'];
  if (request.method === 'PUT') {
    const submitted = decodeObject(context, request.body, contentType);
    refuseOtherName(submitted, name);
    return () => deepClone(submitted);
  }
  const { type, value } = patchValue(context, request);
  return live => {
    const wanted = isApply(contentType)
      ? applied(context, live as Stored, value as unknown as Draft)
      : (patched(type, context, live as Stored, value) as unknown as Draft);
    if (wanted.metadata?.name !== undefined) refuseOtherName(wanted, name);
    return wanted;
  };
}

function check(scaled: Subject, live: Draft, wanted: Draft, name: string): void {
  const { metadata } = wanted;
  if (metadata?.uid && metadata.uid !== live.metadata.uid) {
    const why = `Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${live.metadata.uid}`;
    throw conflict(scaled, name, why);
  }
  if (metadata?.resourceVersion && metadata.resourceVersion !== live.metadata.resourceVersion) {
    throw modified(scaled, name);
  }
  const replicas = wanted['spec']?.replicas ?? 0;
  if (!Number.isInteger(replicas) || replicas < 0) {
    throw invalid(SCALE, name, [invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0')]);
  }
}

async function readScale(context: WriteContext, name: string, paths: ScaleSubresource): Promise<Draft> {
  const entry = context.store.get(tableOf(context.kind), keyOf(context.namespace, name));
  if (!entry) throw notFound(context.kind, name);
  const scale = scaleOf((await context.views.of(context.kind, entry)).object, paths, context);
  delete scale.metadata['managedFields'];
  return scale;
}

function scaleOf(object: Stored, paths: ScaleSubresource, context: WriteContext): Draft {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const replicas = numberAt(object, paths.specReplicasPath);
  const selector = paths.labelSelectorPath && valueAt(object, paths.labelSelectorPath);
  const text = typeof selector === 'string' ? selector : selector ? labelSelectorText(selector as object) : '';
  const managedFields = managedFieldsOfScale(managers(object), replicasPaths(context));
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      name: name!,
      ...(namespace !== undefined && { namespace }),
      uid: uid!,
      resourceVersion: resourceVersion!,
      creationTimestamp: creationTimestamp!,
      ...(managedFields && { managedFields }),
    },
    spec: replicas ? { replicas } : {},
    status: { replicas: numberAt(object, paths.statusReplicasPath) ?? 0, ...(text !== '' && { selector: text }) },
  };
}

/** Puts the replicas of a Scale, and who owns them, into the object it stands for. */
function withScale(object: Draft, scale: Draft, paths: ScaleSubresource, context: WriteContext): Draft {
  const fields = paths.specReplicasPath.split('.');
  let at: Record<string, unknown> = object;
  for (const field of fields.slice(0, -1)) at = (at[field] ??= {}) as Record<string, unknown>;
  at[fields.at(-1)!] = scale['spec']?.replicas ?? 0;
  const owners = managedFieldsOfScaled(
    managers(object),
    managers(scale),
    apiVersionOf(context.kind),
    replicasPaths(context),
  );
  if (owners) object.metadata['managedFields'] = owners;
  else delete object.metadata['managedFields'];
  return object;
}

const managers = (object: { metadata: { readonly [field: string]: unknown } }) =>
  object.metadata['managedFields'] as readonly ManagedFieldsEntry[] | undefined;

/** Where every served version of the kind has its replicas. */
function replicasPaths({ kinds, kind }: WriteContext): ReplicasPaths {
  const paths: Record<string, readonly string[] | null> = {};
  for (const other of kinds.all()) {
    if (other.group !== kind.group || other.plural !== kind.plural) continue;
    paths[apiVersionOf(other)] = other.subresources.scale?.specReplicasPath.split('.') ?? null;
  }
  return paths;
}

function valueAt(object: Stored, path: string): unknown {
  let at: unknown = object;
  for (const field of path.split('.')) at = (at as Record<string, unknown> | undefined)?.[field];
  return at;
}

function numberAt(object: Stored, path: string): number | undefined {
  const value = valueAt(object, path);
  return typeof value === 'number' ? value : undefined;
}

const SCALE = transientKind({
  group: 'autoscaling',
  version: 'v1',
  kind: 'Scale',
  plural: 'scales',
  definition: 'io.k8s.api.autoscaling.v1.Scale',
});
