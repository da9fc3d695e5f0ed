/** The /scale subresource: one small object for autoscalers and `kubectl scale`, whatever the kind. */
import { deepClone, type Json, labelSelectorText } from '@capstan/kube';
import { invalidValue } from '../field-error.ts';
import type { Draft, ScaleSubresource, Stored } from '../kind.ts';
import { applyJsonPatch, applyMergePatch } from '../patch/index.ts';
import type { ServerRequest } from '../request.ts';
import { isObject } from '../schema/json.ts';
import { badRequest, invalid, methodNotAllowed, notFound } from '../status.ts';
import { keyOf, tableOf, viewOf } from '../storage.ts';
import type { WriteContext } from './context.ts';
import { mediaType, OBJECT_MEDIA_TYPES, parseBody } from './decode.ts';
import { change } from './update.ts';

export interface Scale {
  kind: 'Scale';
  apiVersion: 'autoscaling/v1';
  metadata: Record<string, unknown>;
  spec: { replicas?: number };
  status: { replicas: number; selector?: string };
}

export function scaleOf(object: Stored, paths: ScaleSubresource): Scale {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const replicas = numberAt(object, paths.specReplicasPath);
  const selector = paths.labelSelectorPath && valueAt(object, paths.labelSelectorPath);
  const text = typeof selector === 'string' ? selector : selector ? labelSelectorText(selector as object) : '';
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, ...(namespace && { namespace }), uid, resourceVersion, creationTimestamp },
    spec: replicas === undefined ? {} : { replicas },
    status: { replicas: numberAt(object, paths.statusReplicasPath) ?? 0, ...(text !== '' && { selector: text }) },
  };
}

/** GET, PUT and PATCH of /scale. */
export async function handleScale(
  context: WriteContext,
  name: string,
  request: ServerRequest,
  paths: ScaleSubresource,
): Promise<Scale> {
  if (request.method === 'GET') return readScale(context, name, paths);
  if (request.method !== 'PUT' && request.method !== 'PATCH') throw methodNotAllowed();
  const type = mediaType(request.headers['content-type']);
  const { value } = parseBody(request.body, type, request.method === 'PUT' ? OBJECT_MEDIA_TYPES : [type]);
  const { entry } = await change(context, name, false, current => {
    const scale = scaleOf(current!, paths);
    const wanted = request.method === 'PUT' ? value : patchedScale(type, scale, value);
    if (!isObject(wanted)) throw badRequest('the body is not a Scale');
    return withScale(deepClone(current!) as Draft, wanted as unknown as Scale, paths, context.kind);
  });
  return scaleOf(entry.object, paths);
}

function patchedScale(type: string, scale: Scale, patch: Json): Json {
  const current = scale as unknown as Json;
  return type === 'application/json-patch+json' ? applyJsonPatch(current, patch) : applyMergePatch(current, patch);
}

function readScale(context: WriteContext, name: string, paths: ScaleSubresource): Scale {
  const entry = context.store.get(tableOf(context.kind), keyOf(context.namespace, name));
  if (!entry) throw notFound(context.kind, name);
  return scaleOf(viewOf(context.kind)(entry).object, paths);
}

/** Puts the replicas of a Scale into the object it stands for. */
function withScale(object: Draft, scale: Scale, paths: ScaleSubresource, kind: WriteContext['kind']): Draft {
  const replicas = scale.spec?.replicas ?? 0;
  if (!Number.isInteger(replicas) || replicas < 0) {
    throw invalid({ group: 'autoscaling', plural: 'scales', kind: 'Scale' }, object.metadata.name ?? kind.kind, [
      invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0'),
    ]);
  }
  const fields = paths.specReplicasPath.split('.');
  let at: Record<string, unknown> = object;
  for (const field of fields.slice(0, -1)) at = (at[field] ??= {}) as Record<string, unknown>;
  at[fields.at(-1)!] = replicas;
  const version = scale.metadata?.['resourceVersion'];
  if (typeof version === 'string' && version !== '') object.metadata.resourceVersion = version;
  return object;
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
