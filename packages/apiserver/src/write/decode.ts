/** From a request body to a draft of the kind: the right type, known fields only, defaults filled in. */
import { apiVersionOf, deepClone, type Json } from '@capstan/kube';
import { builtinKinds, decodeErrors, schemaOf } from '../builtins/index.ts';
import type { Draft, KindDefinition } from '../kind.ts';
import { decodeProtobuf, ProtobufError, type TypeName } from '../protobuf/decode.ts';
import type { RequestBody } from '../request.ts';
import { beginning, DecodeError, NumberOverflow, parseJson, parseYaml } from '../schema/decode.ts';
import { applyDefaults } from '../schema/defaults.ts';
import { goKind } from '../schema/go-text.ts';
import { isObject, type JsonObject } from '../schema/json.ts';
import { prune, strictDecodingError, unknownField } from '../schema/prune.ts';
import type { Schema } from '../schema/schema.ts';
import { badRequest, StatusError, unsupportedMediaType } from '../status.ts';
import type { WriteContext } from './context.ts';

export const OBJECT_MEDIA_TYPES = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
] as const;

/** Custom resources have no messages. */
const CUSTOM_MEDIA_TYPES = ['application/json', 'application/yaml'] as const;

/** The body is not an object of the kind; `why` is the reason without the words around it, which depend on the request. */
export class CannotDecode extends StatusError {
  readonly why: string;

  constructor(message: string, why: string) {
    super(badRequest(message).status);
    this.why = why;
  }
}

const cannotHandle = (kind: KindDefinition, why: string, given = kind.kind, version = kind.version): CannotDecode =>
  new CannotDecode(`${given} in version "${version}" cannot be handled as a ${kind.kind}: ${why}`, why);

/** A parsed body, and what a strict reader would complain about. */
export interface Decoded {
  readonly value: Json;
  readonly problems: readonly string[];
}

/** `expected` is what a body in protobuf is taken for that does not say what it is; without it, options for a deletion. */
export function parseBody(
  body: RequestBody,
  contentType: string | undefined,
  accepted: readonly string[],
  expected: TypeName = { apiVersion: 'v1', kind: 'DeleteOptions' },
): Decoded {
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
      return { value: decodeProtobuf(body.bytes, expected), problems: [] };
    }
  }
}

export function mediaType(contentType: string | undefined): string {
  return (contentType ?? 'application/json').split(';', 1)[0]!.trim().toLowerCase();
}

/** The object in a create or update. */
export function decodeObject(context: WriteContext, body: RequestBody, contentType: string | undefined): Draft {
  const { value, problems } = parseObject(context.kind, body, contentType);
  const draft = context.kind.custom ? expectCustom(context, value) : expectKind(context.kind, value);
  return settle(context, draft, problems);
}

function parseObject(kind: KindDefinition, body: RequestBody, contentType: string | undefined): Decoded {
  try {
    const empty: RequestBody = { kind: 'bytes', bytes: Buffer.alloc(0) };
    const accepted = kind.custom ? CUSTOM_MEDIA_TYPES : OBJECT_MEDIA_TYPES;
    const expected = { apiVersion: apiVersionOf(kind), kind: kind.kind };
    const decoded = parseBody(body.kind === 'none' ? empty : body, contentType, accepted, expected);
    return decoded.value === null ? { ...decoded, value: {} } : decoded;
  } catch (error) {
    if (!(error instanceof DecodeError || error instanceof ProtobufError)) throw error;
    if (error instanceof ProtobufError && error.of)
      throw cannotHandle(kind, error.message, error.of.kind, kind.version);
    if (error instanceof NumberOverflow) throw cannotHandle(kind, error.reason);
    throw unrecognized(kind, error.message.replace(NOT_EVEN_YAML, ''));
  }
}

/** Text that is no YAML is refused before anyone asks it for its kind. */
const NOT_EVEN_YAML = "couldn't get version/kind; json parse error: error converting YAML to JSON: ";

const unrecognized = (kind: KindDefinition, why: string): StatusError =>
  badRequest(`the object provided is unrecognized (must be of type ${kind.kind}): ${why}`);

/**
 * Makes any JSON an object of the kind, or refuses it. Patched and applied objects come through here too: they are as
 * untrusted as a body.
 */
export function settle(context: WriteContext, draft: Draft, problems: readonly string[] = []): Draft {
  const { kind } = context;
  const unknown = prune(draft as unknown as Json, kind.schema, { sorted: kind.custom });
  report(context, [...problems, ...unknown.map(unknownField)]);
  if (!kind.custom) {
    const [wrong] = decodeErrors(draft, kind.schema);
    if (wrong !== undefined) {
      throw cannotHandle(kind, wrong);
    }
  }
  if (kind.custom) {
    const [wrong] = decodeErrors(draft.metadata, schemaOf(OBJECT_META));
    if (wrong !== undefined) throw cannotHandle(kind, wrong);
    applyDefaults(draft as unknown as Json, kind.schema);
  }
  kind.strategy.default(draft);
  return draft;
}

/** All that the server itself reads of a custom resource. */
export const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

function report({ options, warn, kind }: WriteContext, problems: readonly string[]): void {
  if (problems.length === 0 || options.fieldValidation === 'Ignore') return;
  if (options.fieldValidation === 'Strict') throw cannotHandle(kind, strictDecodingError(problems));
  for (const problem of problems.flatMap(warningLines)) warn(problem);
}

/** What is wrong with YAML comes as one text of several lines; each is a warning. */
export function warningLines(problem: string): string[] {
  const lines = problem.split('\n').map(line => line.trim());
  return lines[0] === 'yaml: unmarshal errors:' ? lines.slice(1) : [problem];
}

/** The body must say that it is what the path is about; where it says nothing, it is taken to be. */
export function expectKind(kind: KindDefinition, value: Json): Draft {
  const object = expectObject(kind, value);
  const apiVersion = apiVersionOf(kind);
  const givenVersion = String(object.apiVersion || apiVersion);
  const givenKind = String(object.kind || kind.kind);
  if (givenVersion !== apiVersion || givenKind !== kind.kind) throw otherKind(kind, givenVersion, givenKind);
  return asDraft(kind, object, { apiVersion, kind: kind.kind });
}

/** Custom resources have to say what they are. One of another kind in the right version is left to validation. */
function expectCustom(context: WriteContext, value: Json): Draft {
  const { kind } = context;
  const object = expectObject(kind, value);
  if (typeof object.kind !== 'string' || object.kind === '') {
    const text = JSON.stringify(object);
    throw unrecognized(kind, `Object 'Kind' is missing in '${text}' (${beginning(Buffer.from(text))})`);
  }
  const given = typeof object.apiVersion === 'string' ? object.apiVersion : '';
  if (given === apiVersionOf(kind)) return asDraft(kind, object, {});
  // The fields are held against the version that the object says it has, before that is found to be the wrong one.
  const version = given.slice(given.indexOf('/') + 1);
  const { schema } = context.kinds.find(kind.group, version, kind.plural) ?? { schema: NO_FIELDS };
  report(context, prune(object, schema, { sorted: true }).map(unknownField));
  throw badRequest(
    `the API version in the data (${given}) does not match the expected API version (${apiVersionOf(kind)})`,
  );
}

/** All that is known of a version that there is not. */
const NO_FIELDS: Schema = {
  properties: { apiVersion: {}, kind: {}, metadata: { 'x-kubernetes-preserve-unknown-fields': true } },
};

function expectObject(kind: KindDefinition, value: Json): JsonObject {
  if (isObject(value)) return value;
  const type = Array.isArray(value) ? 'array' : typeof value;
  throw unrecognized(
    kind,
    `couldn't get version/kind; json parse error: json: cannot unmarshal ${type} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (${beginning(Buffer.from(JSON.stringify(value)))})`,
  );
}

function asDraft(kind: KindDefinition, object: JsonObject, type: { apiVersion?: string; kind?: string }): Draft {
  const metadata = object.metadata ?? {};
  if (!isObject(metadata)) {
    const target = kind.custom ? 'value' : `struct field ${kind.kind}.metadata`;
    throw cannotHandle(kind, `json: cannot unmarshal ${goKind(metadata)} into Go ${target} of type v1.ObjectMeta`);
  }
  return Object.assign(object, { ...type, metadata }) as unknown as Draft;
}

/** What Kubernetes says of an object that is none of this kind depends on whether it knows what it is. */
function otherKind(kind: KindDefinition, apiVersion: string, given: string): StatusError {
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  const known = builtinKinds().some(one => apiVersionOf(one) === apiVersion && isNamed(one, given));
  const why = known
    ? `converting (${version}.${given}) to (${kind.group.split('.')[0] || 'core'}.${kind.kind}): unknown conversion`
    : `no kind ${JSON.stringify(given)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`;
  return cannotHandle(kind, why, given, version);
}

const isNamed = (kind: KindDefinition, name: string): boolean => kind.kind === name || kind.listKind === name;
