/** AdmissionReview: the question to a webhook, and what of its answer can be used. */
import type { Json } from '@capstan/kube';
import type { KindDefinition } from '../kind.ts';
import { isObject, type JsonObject } from '../schema/json.ts';
import { type Attributes, kindNames, resourceNames } from './attributes.ts';
import type { WebhookType } from './configuration.ts';

export type ReviewVersion = 'v1' | 'v1beta1';

/** A question with all that the answer is checked against. */
export interface AdmissionReview {
  readonly kind: 'AdmissionReview';
  readonly apiVersion: `admission.k8s.io/${ReviewVersion}`;
  readonly request: AdmissionRequest;
}

/** What a webhook is asked, as `k8s.io/api/admission/v1` has it. */
export interface AdmissionRequest {
  readonly uid: string;
  /** The kind and resource as the rule names them; the object is of this version. */
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  readonly subResource?: string;
  /** The kind and resource as the client's request names them. */
  readonly requestKind: AdmissionRequest['kind'];
  readonly requestResource: AdmissionRequest['resource'];
  readonly requestSubResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly userInfo: {
    readonly username?: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  /** Null where there is none: a deletion has only an old one. */
  readonly object: Json;
  readonly oldObject: Json;
  readonly dryRun: boolean;
  readonly options: Json;
}

/** What a question is about: the object in the version that the rule names. */
export interface Question {
  readonly attributes: Attributes;
  readonly resource: KindDefinition;
  readonly kind: KindDefinition;
  readonly object: Json;
  readonly oldObject: Json;
}

/** The first version listed that we speak. */
export function reviewVersion(versions: readonly string[]): ReviewVersion | undefined {
  return versions.find((version): version is ReviewVersion => version === 'v1' || version === 'v1beta1');
}

export function admissionReview(question: Question, version: ReviewVersion, uid: string): AdmissionReview {
  const { object, oldObject } = question;
  const { options, ...about } = describeRequest(question) as JsonObject;
  const request = { uid, ...about, object, oldObject, dryRun: question.attributes.dryRun, options };
  return {
    kind: 'AdmissionReview',
    apiVersion: `admission.k8s.io/${version}`,
    request: request as unknown as AdmissionRequest,
  };
}

/** The request without the objects: what match conditions see as `request`. */
export function describeRequest({ attributes, resource, kind }: Omit<Question, 'object' | 'oldObject'>): Json {
  const { subresource, name, namespace, operation, user, options, dryRun } = attributes;
  const { uid, groups, extra } = user;
  return {
    kind: kindNames(kind),
    resource: resourceNames(resource),
    ...(subresource !== '' && { subResource: subresource }),
    requestKind: kindNames(attributes.kind),
    requestResource: resourceNames(attributes.resource),
    ...(subresource !== '' && { requestSubResource: subresource }),
    ...(name !== '' && { name }),
    ...(namespace !== '' && { namespace }),
    operation,
    userInfo: {
      username: user.name,
      ...(uid !== undefined && { uid }),
      ...(groups.length > 0 && { groups: [...groups] }),
      ...(extra && { extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]])) }),
    },
    dryRun,
    options,
  };
}

export interface Verdict {
  readonly allowed: boolean;
  /** Status as the webhook gave it. */
  readonly result: JsonObject | undefined;
  /** Operations of a JSON patch, still as text. */
  readonly patch: string;
  readonly patchType: string;
  readonly warnings: readonly string[];
}

/** The webhook answered, but not the question it was asked. */
export class InvalidAnswer extends Error {
  override readonly name = 'InvalidAnswer';
}

/** Reads the answer to a question; throws `InvalidAnswer`. Version v1beta1 never checked as much, and clients rely on it. */
export function readVerdict(review: AdmissionReview, answer: JsonObject, type: WebhookType): Verdict {
  const { response } = answer;
  if (!isObject(response ?? null)) throw new InvalidAnswer('webhook response was absent');
  const given = response as JsonObject;
  const isCurrent = review.apiVersion === 'admission.k8s.io/v1';
  if (isCurrent) checkIdentity(review, answer, String(given.uid ?? ''));
  const patch = Buffer.from(String(given.patch ?? ''), 'base64').toString();
  const patchType = given.patchType ?? undefined;
  if (isCurrent) checkPatch(type, patch, patchType);
  return {
    allowed: given.allowed === true,
    result: isObject(given.status ?? null) ? (given.status as JsonObject) : undefined,
    patch: type === 'mutating' ? patch : '',
    patchType: isCurrent ? String(patchType ?? '') : 'JSONPatch',
    warnings: Array.isArray(given.warnings) ? given.warnings.map(String) : [],
  };
}

function checkIdentity(review: AdmissionReview, answer: JsonObject, uid: string): void {
  if (uid !== review.request.uid) {
    const [expected, got] = [review.request.uid, uid].map(text => JSON.stringify(text));
    throw new InvalidAnswer(`expected response.uid=${expected}, got ${got}`);
  }
  if (answer.kind !== review.kind || answer.apiVersion !== review.apiVersion) {
    const [expected, got] = [review, answer].map(
      one => `${String(one.apiVersion || '/')}, Kind=${String(one.kind ?? '')}`,
    );
    throw new InvalidAnswer(`expected webhook response of ${expected}, got ${got}`);
  }
}

function checkPatch(type: WebhookType, patch: string, patchType: Json | undefined): void {
  if (type === 'validating') {
    if (patch !== '') throw new InvalidAnswer('validating webhook may not return response.patch');
    if (patchType !== undefined) throw new InvalidAnswer('validating webhook may not return response.patchType');
    return;
  }
  if (patch !== '' && patchType === undefined) {
    throw new InvalidAnswer('webhook returned response.patch but not response.patchType');
  }
  if (patch === '' && patchType !== undefined) {
    throw new InvalidAnswer('webhook returned response.patchType but not response.patch');
  }
  if (patchType === '') throw new InvalidAnswer('webhook returned invalid response.patchType of ""');
}
