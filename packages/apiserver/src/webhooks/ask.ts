/** One question to one webhook: whether it is concerned at all, the call, and what its answer means. */
import { type Json, type Random, uuid } from '@capstan/kube';
import type { Draft, KindDefinition } from '../kind.ts';
import type { Kinds } from '../kinds.ts';
import type { JsonObject } from '../schema/json.ts';
import { failure, forbidden, notFound } from '../status.ts';
import type { Store } from '../store/store.ts';
import type { Views } from '../views.ts';
import { type Attributes, isNamespaces } from './attributes.ts';
import type { WebhookCall } from './call.ts';
import type { Webhook } from './configuration.ts';
import { decodeAnswer } from './decode-answer.ts';
import { CallFailed, denied, dryRunUnsupported } from './failures.ts';
import {
  type AdmissionReview,
  admissionReview,
  describeRequest,
  InvalidAnswer,
  type Question,
  readVerdict,
  reviewVersion,
  type Verdict,
} from './review.ts';

/** What asking takes. */
export interface Asking {
  readonly store: Store;
  readonly kinds: Kinds;
  readonly views: Views;
  readonly random: Random;
  readonly call: WebhookCall;
}

/** Labels of the new or the old object, and of its namespace. */
export function isSelected(webhook: Webhook, attributes: Attributes, object: Draft | undefined, store: Store): boolean {
  const { objectSelector } = webhook;
  if (!inNamespace(webhook, attributes, object, store)) return false;
  if (objectSelector.requirements.length === 0) return true;
  return [object, attributes.old].some(one => one !== undefined && objectSelector.matches(one.metadata.labels));
}

function inNamespace(
  { namespaceSelector }: Webhook,
  attributes: Attributes,
  object: Draft | undefined,
  store: Store,
): boolean {
  const { resource, subresource, namespace, operation } = attributes;
  if (namespaceSelector.requirements.length === 0) return true;
  if (namespace === '' && !isNamespaces(resource)) return true; // what has no namespace is in none that could be left out
  if (isNamespaces(resource) && subresource === '' && (operation === 'CREATE' || operation === 'UPDATE')) {
    return namespaceSelector.matches(object?.metadata.labels);
  }
  const found = store.head('/namespaces', namespace);
  if (!found) throw notFound({ group: '', plural: 'namespaces', kind: 'Namespace' }, namespace);
  return namespaceSelector.matches(found.object.metadata.labels);
}

/** False where a condition says so; throws 403 where one cannot tell and the webhook's policy is to fail. */
export function meetsConditions({ conditions }: Webhook, question: Question): boolean {
  if (conditions.isEmpty) return true;
  const { object, oldObject, attributes } = question;
  const result = conditions.evaluate({ object, oldObject, request: describeRequest(question) });
  if (result.kind === 'error') throw forbidden(attributes.resource, attributes.name, result.message);
  return result.kind === 'match';
}

/**
 * Asks. Throws `CallFailed` where there is no usable answer, and the refusal where the webhook refuses; warnings are given on
 * either way.
 */
export async function ask(
  { call, random }: Asking,
  webhook: Webhook,
  question: Question,
  warn: (text: string) => void,
): Promise<Verdict> {
  const { name, sideEffects } = webhook;
  if (question.attributes.dryRun && sideEffects !== 'None' && sideEffects !== 'NoneOnDryRun')
    throw dryRunUnsupported(name);
  const version = reviewVersion(webhook.reviewVersions);
  if (!version) {
    const why = 'webhook does not accept known AdmissionReview versions (v1, v1beta1)';
    throw new CallFailed(name, `could not create admission objects: ${why}`);
  }
  const review = admissionReview(question, version, uuid(random));
  const answer = await called(call, webhook, review);
  const verdict = read(webhook, () => readVerdict(review, answer, webhook.type));
  for (const warning of verdict.warnings) warn(warning);
  if (!verdict.allowed) throw denied(name, verdict.result);
  return verdict;
}

async function called(call: WebhookCall, webhook: Webhook, review: AdmissionReview): Promise<JsonObject> {
  const { name, client, timeoutSeconds } = webhook;
  try {
    return decodeAnswer(review, await call(client, review as unknown as Json, timeoutSeconds));
  } catch (error) {
    throw new CallFailed(name, `failed to call webhook: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function read(webhook: Webhook, verdict: () => Verdict): Verdict {
  try {
    return verdict();
  } catch (error) {
    if (!(error instanceof InvalidAnswer)) throw error;
    throw new CallFailed(webhook.name, `received invalid webhook response: ${error.message}`);
  }
}

/** The failure of a call, as the answer to the client; undefined where the webhook's policy is to go on without it. */
export function unlessIgnored(webhook: Webhook, error: unknown): Error | undefined {
  if (!(error instanceof CallFailed)) return error as Error;
  if (webhook.failurePolicy === 'Ignore') return undefined;
  const { message } = error;
  return failure(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });
}

/** What a webhook is shown. Who calls it makes sure that it cannot change it: by sending it, or a copy. */
export function questionOf(
  attributes: Attributes,
  resource: KindDefinition,
  kind: KindDefinition,
  object: Draft | undefined,
  oldObject: Draft | undefined,
): Question {
  const shown = (one: Draft | undefined): Json => (one ?? null) as unknown as Json;
  return { attributes, resource, kind, object: shown(object), oldObject: shown(oldObject) };
}
