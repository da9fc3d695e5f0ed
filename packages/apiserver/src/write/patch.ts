import { deepClone, type Json } from '@capstan/kube';
import type { Draft, Stored } from '../kind.ts';
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch, PatchError } from '../patch/index.ts';
import type { ServerRequest } from '../request.ts';
import { isObject } from '../schema/json.ts';
import { badRequest, conflict, failure, notFound, type StatusError, unsupportedMediaType } from '../status.ts';
import { ordered } from '../storage.ts';
import type { WriteContext } from './context.ts';
import { type Decoded, expectKind, mediaType, parseBody, settle } from './decode.ts';
import { applied } from './field-managers.ts';
import { change, type Written } from './update.ts';

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC_PATCH = 'application/strategic-merge-patch+json';
export const APPLY_YAML = 'application/apply-patch+yaml';

export const isApply = (contentType: string | undefined): boolean => mediaType(contentType) === APPLY_YAML;

export function patch(context: WriteContext, name: string, request: ServerRequest): Promise<Written> {
  const contentType = request.headers['content-type'];
  const type = contentType === undefined ? '' : mediaType(contentType);
  const accepted = [JSON_PATCH, MERGE_PATCH, ...(context.kind.custom ? [] : [STRATEGIC_PATCH]), APPLY_YAML];
  if (!accepted.includes(type)) throw unsupportedMediaType(accepted);
  if (type === APPLY_YAML) return apply(context, name, request);

  const { value, problems } = parseBody(request.body, type, accepted);
  return change(context, name, false, current => {
    const draft = expectKind(context.kind, patched(type, context, current!, value));
    if (draft.metadata.resourceVersion !== current!.metadata.resourceVersion && namesVersion(type, value)) {
      const why = 'the object has been modified; please apply your changes to the latest version and try again';
      throw conflict(context.kind, name, why);
    }
    draft.metadata.resourceVersion = current!.metadata.resourceVersion!;
    return settle(context, draft, problems);
  });
}

/** True when the patch itself speaks of a version, which then has to be the current one. */
function namesVersion(type: string, patch: Json): boolean {
  if (type === JSON_PATCH) return JSON.stringify(patch).includes('/metadata/resourceVersion');
  return isObject(patch) && isObject(patch.metadata ?? null) && Boolean((patch.metadata as Draft).resourceVersion);
}

function patched(type: string, { kind }: WriteContext, current: Stored, patch: Json): Json {
  try {
    switch (type) {
      case JSON_PATCH:
        return applyJsonPatch(current as unknown as Json, patch);
      case MERGE_PATCH:
        return applyMergePatch(current as unknown as Json, patch);
      default:
        return applyStrategicMergePatch(current as unknown as Json, patch, kind.schema);
    }
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    throw patchFailure(error);
  }
}

function patchFailure({ code, message }: PatchError): StatusError {
  switch (code) {
    case 400:
      return badRequest(message);
    case 413:
      return failure(413, 'RequestEntityTooLarge', message);
    case 422:
      return failure(422, 'Invalid', message, {});
    case 500:
      return failure(500, '', message);
  }
}

function parseApplied({ body }: ServerRequest): Decoded {
  const decoded = parseBody(body, body.kind === 'bytes' ? 'application/yaml' : undefined, ['application/yaml']);
  return decoded.value === null ? { ...decoded, value: {} } : decoded;
}

const notAnObject = (value: Json): string =>
  `error decoding patch: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into Go value of type map[string]interface {}`;

/** Server-side apply. What is not there is created, except through a subresource. */
async function apply(context: WriteContext, name: string, request: ServerRequest): Promise<Written> {
  const { kind, subresource } = context;
  const { value, problems } = parseApplied(request);
  if (!isObject(value)) throw badRequest(notAnObject(value));
  const metadata = isObject(value.metadata ?? null) ? value.metadata : {};
  const config = Object.assign(value, { metadata }) as unknown as Draft;
  return change(context, name, subresource === '', current => {
    if (!current && subresource !== '') throw notFound(kind, name);
    const configuration = deepClone(config);
    configuration.metadata.name ??= name;
    const draft = applied(context, current, configuration);
    return settle(context, ordered(kind, draft), current ? [] : problems);
  });
}
