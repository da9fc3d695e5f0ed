import { deepClone, type Json } from '@capstan/kube';
import { invalidValue } from '../field-error.ts';
import type { Draft, Stored } from '../kind.ts';
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch, PatchError } from '../patch/index.ts';
import type { ServerRequest } from '../request.ts';
import { DecodeError, NumberOverflow } from '../schema/decode.ts';
import { goValue } from '../schema/go-text.ts';
import { isObject, type JsonObject } from '../schema/json.ts';
import { badRequest, failure, invalid, modified, notFound, type StatusError, unsupportedMediaType } from '../status.ts';
import { ordered } from '../storage.ts';
import type { WriteContext } from './context.ts';
import { CannotDecode, type Decoded, expectKind, mediaType, parseBody, settle, warningLines } from './decode.ts';
import { applied } from './field-managers.ts';
import { change, type Written } from './update.ts';

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC_PATCH = 'application/strategic-merge-patch+json';
export const APPLY_YAML = 'application/apply-patch+yaml';

export const isApply = (contentType: string | undefined): boolean => mediaType(contentType) === APPLY_YAML;

export function patch(context: WriteContext, name: string, request: ServerRequest): Promise<Written> {
  const { type, value, problems } = patchValue(context, request);
  if (type === APPLY_YAML) return apply(context, name, value, problems);
  return change(context, name, false, current => {
    const result = patched(type, context, current!, value);
    const shown = type === STRATEGIC_PATCH ? goValue(value) : JSON.stringify(result);
    const draft = asPatched(shown, () => expectKind(context.kind, result));
    const { resourceVersion } = current!.metadata;
    const given: unknown = draft.metadata.resourceVersion ?? '';
    if (typeof given === 'string') {
      if (given !== resourceVersion && namesVersion(type, value)) throw modified(context.kind, name);
      draft.metadata.resourceVersion = resourceVersion!;
    } // else it is refused with all else that is of the wrong type
    return asPatched(shown, () => settle(context, draft, problems));
  });
}

/** The body of a PATCH, and which of the patch languages it is in. */
export function patchValue({ kind }: WriteContext, request: ServerRequest): Decoded & { readonly type: string } {
  const contentType = request.headers['content-type'];
  const type = contentType === undefined ? '' : mediaType(contentType);
  const accepted = [JSON_PATCH, MERGE_PATCH, ...(kind.custom ? [] : [STRATEGIC_PATCH]), APPLY_YAML];
  if (!accepted.includes(type)) {
    throw kind.custom
      ? unsupportedMediaType(accepted)
      : failure(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
  }
  return { type, ...(type === APPLY_YAML ? parseApplied(request) : parsePatch(request, type)) };
}

/** What a patch makes of an object can be no object of the kind: that is the patch's fault, and a 422. */
function asPatched(shown: string, decode: () => Draft): Draft {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof CannotDecode)) throw error;
    const nameless = { group: '', plural: '', kind: '' };
    throw invalid(nameless, '', [invalidValue('patch', shown, error.why)]);
  }
}

function parsePatch({ body }: ServerRequest, type: string): Decoded {
  try {
    return parseBody(body, type, [type]);
  } catch (error) {
    if (error instanceof NumberOverflow) throw badRequest(`error decoding patch: ${error.reason}`);
    throw error instanceof DecodeError ? badRequest('invalid JSON patch') : error;
  }
}

/** True when the patch itself speaks of a version, which then has to be the current one. */
function namesVersion(type: string, patch: Json): boolean {
  if (type === JSON_PATCH) return JSON.stringify(patch).includes('/metadata/resourceVersion');
  return isObject(patch) && isObject(patch.metadata ?? null) && Boolean((patch.metadata as Draft).resourceVersion);
}

export function patched(type: string, { kind }: WriteContext, current: Stored, patch: Json): Json {
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
  const decoded = parseYamlPatch(body);
  if (decoded.value === null) return { ...decoded, value: {} };
  if (!isObject(decoded.value)) throw badRequest(notAnObject(decoded.value));
  return decoded;
}

function parseYamlPatch(body: ServerRequest['body']): Decoded {
  try {
    return parseBody(body, body.kind === 'bytes' ? 'application/yaml' : undefined, ['application/yaml']);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw badRequest(`error encoding patch: ${error.reason.replace('error converting YAML to JSON: ', '')}`);
  }
}

const notAnObject = (value: Json): string =>
  `error decoding patch: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into Go value of type map[string]interface {}`;

/** Server-side apply. What is not there is created, except through a subresource. */
function apply(context: WriteContext, name: string, value: Json, problems: readonly string[]): Promise<Written> {
  const { kind, subresource } = context;
  const metadata = (value as JsonObject).metadata ?? {};
  const config = Object.assign(value as JsonObject, { metadata }) as unknown as Draft;
  return change(context, name, subresource === '', current => {
    if (!current && subresource !== '') throw notFound(kind, name);
    const configuration = deepClone(config);
    // Metadata that is none goes on as it is, to be refused with all else that does not fit the schema.
    if (isObject(metadata)) configuration.metadata.name ??= name;
    const draft = applied(context, current, configuration);
    reportProblems(context, problems);
    return settle(context, ordered(kind, draft));
  });
}

/** Keys that the applied text has twice. */
function reportProblems({ options, warn }: WriteContext, problems: readonly string[]): void {
  if (problems.length === 0 || options.fieldValidation === 'Ignore') return;
  if (options.fieldValidation === 'Strict') {
    throw badRequest(`error strict decoding patch: error converting YAML to JSON: ${problems.join(', ')}`);
  }
  for (const line of problems.flatMap(warningLines)) warn(line);
}
