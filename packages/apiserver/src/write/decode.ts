/** From a request body to a draft of the kind: the right type, known fields only, defaults filled in. */
import { apiVersionOf, deepClone, type Json } from '@capstan/kube';
import { decodeErrors } from '../builtins/index.ts';
import type { Draft, KindDefinition } from '../kind.ts';
import type { RequestBody } from '../request.ts';
import { parseJson, parseYaml } from '../schema/decode.ts';
import { applyDefaults } from '../schema/defaults.ts';
import { isObject } from '../schema/json.ts';
import { prune, strictDecodingError, unknownField } from '../schema/prune.ts';
import { badRequest, unsupportedMediaType } from '../status.ts';
import type { WriteContext } from './context.ts';

export const OBJECT_MEDIA_TYPES = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
] as const;

/** A parsed body, and what a strict reader would complain about. */
export interface Decoded {
  readonly value: Json;
  readonly problems: readonly string[];
}

export function parseBody(body: RequestBody, contentType: string | undefined, accepted: readonly string[]): Decoded {
  switch (body.kind) {
    case 'none':
      return { value: null, problems: [] };
    case 'value':
      return { value: deepClone(body.value) as Json, problems: [] };
    case 'bytes': {
      const type = mediaType(contentType);
      if (!accepted.includes(type)) throw unsupportedMediaType(accepted);
      if (type.endsWith('yaml')) return parseYaml(body.bytes);
      if (type.endsWith('json')) return parseJson(body.bytes);
      throw unsupportedMediaType(accepted.filter(one => !one.endsWith('protobuf')));
    }
  }
}

export function mediaType(contentType: string | undefined): string {
  return (contentType ?? 'application/json').split(';', 1)[0]!.trim().toLowerCase();
}

/** The object in a create or update. */
export function decodeObject(context: WriteContext, body: RequestBody, contentType: string | undefined): Draft {
  const { value, problems } = parseBody(body, contentType, OBJECT_MEDIA_TYPES);
  const draft = expectKind(context.kind, value);
  return settle(context, draft, problems);
}

/**
 * Makes any JSON an object of the kind, or refuses it. Patched and applied objects come through here too: they are as
 * untrusted as a body.
 */
export function settle(context: WriteContext, draft: Draft, problems: readonly string[] = []): Draft {
  const { kind, options } = context;
  const unknown = prune(draft as unknown as Json, kind.schema);
  report(context, [...problems, ...unknown.map(unknownField)]);
  if (!kind.custom) {
    const [wrong] = decodeErrors(draft, kind.schema);
    if (wrong !== undefined) {
      throw badRequest(`${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${wrong}`);
    }
  }
  void options;
  if (kind.custom) applyDefaults(draft as unknown as Json, kind.schema);
  kind.strategy.default(draft);
  return draft;
}

function report({ options, warn }: WriteContext, problems: readonly string[]): void {
  if (problems.length === 0 || options.fieldValidation === 'Ignore') return;
  if (options.fieldValidation === 'Strict') throw badRequest(strictDecodingError(problems));
  for (const problem of problems) warn(problem);
}

/** The body must say that it is what the path is about; where it says nothing, it is taken to be. */
export function expectKind(kind: KindDefinition, value: Json): Draft {
  if (!isObject(value)) {
    throw badRequest(`the object provided is unrecognized (must be of type ${kind.kind}): the body is not an object`);
  }
  const apiVersion = apiVersionOf(kind);
  const given = { apiVersion: value.apiVersion || apiVersion, kind: value.kind || kind.kind };
  if (given.apiVersion !== apiVersion) {
    throw badRequest(
      `the API version in the data (${String(given.apiVersion)}) does not match the expected API version (${apiVersion})`,
    );
  }
  if (given.kind !== kind.kind) {
    throw badRequest(
      `${String(given.kind)} in version "${kind.version}" cannot be handled as a ${kind.kind}: the kind of the object does not match the endpoint`,
    );
  }
  const metadata = isObject(value.metadata) ? value.metadata : {};
  return Object.assign(value, { apiVersion, kind: kind.kind, metadata }) as unknown as Draft;
}
