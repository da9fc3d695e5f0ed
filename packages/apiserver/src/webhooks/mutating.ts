/** Mutating webhooks: one after the other, each on what the one before left, and some of them a second time. */
import { apiVersionOf, deepEqual, type Json } from '@capstan/kube';
import { decodeErrors, schemaOf } from '../builtins/index.ts';
import type { Draft, KindDefinition } from '../kind.ts';
import { applyJsonPatch, PatchError } from '../patch/index.ts';
import { DecodeError, parseJson } from '../schema/decode.ts';
import { applyDefaults } from '../schema/defaults.ts';
import { goKind, goQuote } from '../schema/go-text.ts';
import { isObject, type JsonObject } from '../schema/json.ts';
import { internal } from '../status.ts';
import type { WriteContext } from '../write/context.ts';
import { CannotDecode, OBJECT_META, settle } from '../write/decode.ts';
import { type Asking, ask, isSelected, meetsConditions, questionOf, unlessIgnored } from './ask.ts';
import type { Attributes } from './attributes.ts';
import { CallFailed } from './failures.ts';
import type { Verdict } from './review.ts';
import { kindOfObject, VersionedDraft, VersionedObject } from './versioned-object.ts';
import type { Invocation } from './webhook-list.ts';

/**
 * Which webhooks have to see the object again. One that asked for it is asked a second time, and no more than that, when
 * something changed the object after it was asked first.
 */
export class Reinvocation {
  readonly #asked = new Set<string>();
  readonly #again = new Set<string>();

  wasAsked({ webhook }: Invocation): void {
    if (webhook.isReinvocable) this.#asked.add(webhook.id);
  }

  objectChanged(): void {
    for (const id of this.#asked) this.#again.add(id);
    this.#asked.clear();
  }

  concerns({ webhook }: Invocation): boolean {
    return this.#again.has(webhook.id);
  }
}

/** Undefined as object: a deletion, which has nothing to change. */
export interface Round {
  readonly attributes: Attributes;
  readonly object: Draft | undefined;
  readonly invocations: readonly Invocation[];
  readonly reinvocation: Reinvocation;
  /** True for the second round. */
  readonly again: boolean;
}

/** The object after all of them, in the version of the request; the very same one where nothing changed it. */
export async function mutate(asking: Asking, round: Round, context: WriteContext): Promise<Draft | undefined> {
  const { attributes, object, invocations, reinvocation } = round;
  const { kind, old } = attributes;
  const draft = object && new VersionedDraft(asking.views, kind, object);
  const before = new VersionedObject(asking.views, kind, old);
  for (const invocation of invocations) {
    const { webhook, resource } = invocation;
    if (!isSelected(webhook, attributes, draft?.current, asking.store)) continue;
    if (round.again && !reinvocation.concerns(invocation)) continue;
    const seen = kindOfObject(attributes, resource);
    const shown = await draft?.as(seen);
    const question = questionOf(attributes, resource, seen, shown, await before.as(seen));
    if (!meetsConditions(webhook, question)) continue;
    let changed: Draft | undefined;
    try {
      const verdict = await ask(asking, webhook, question, context.warn);
      changed = patched(webhook.name, verdict, shown, { ...context, kind: seen });
    } catch (error) {
      const refusal = unlessIgnored(webhook, error);
      if (refusal) throw refusal;
    }
    if (changed) {
      draft!.replace(seen, changed);
      if (!deepEqual(changed, shown)) reinvocation.objectChanged();
    }
    reinvocation.wasAsked(invocation);
  }
  return draft?.result();
}

/** Undefined where the webhook changes nothing. */
function patched(name: string, verdict: Verdict, shown: Draft | undefined, context: WriteContext): Draft | undefined {
  if (verdict.patch === '') return undefined;
  const operations = decoded(name, verdict.patch);
  if (operations.length === 0) return undefined;
  if (!shown) {
    const why = 'attempted to modify the object, which is not supported for this operation';
    throw internal(`admission webhook ${JSON.stringify(name)} ${why}`);
  }
  if (verdict.patchType !== 'JSONPatch')
    throw new CallFailed(name, `unsupported patch type ${JSON.stringify(verdict.patchType)}`);
  return accepted(apply(shown, [...operations]), context.kind, context);
}

function decoded(name: string, patch: string): readonly Json[] {
  const undecodable = (why: string): CallFailed =>
    new CallFailed(name, `received undecodable patch in webhook response: ${why}`);
  let operations: Json;
  try {
    operations = parseJson(Buffer.from(patch)).value;
  } catch (error) {
    throw error instanceof DecodeError ? undecodable(error.reason) : error;
  }
  if (operations === null) return [];
  if (Array.isArray(operations)) return operations;
  throw undecodable(`json: cannot unmarshal ${goKind(operations)} into Go value of type jsonpatch.Patch`);
}

function apply(shown: Draft, operations: Json): Json {
  try {
    return applyJsonPatch(shown as unknown as Json, operations);
  } catch (error) {
    throw error instanceof PatchError ? internal(error.detail) : error;
  }
}

/** What a patch made of the object is as untrusted as a body, but nobody asked for strictness about it. */
function accepted(value: Json, kind: KindDefinition, context: WriteContext): Draft {
  if (!isObject(value)) throw internal(`the patch of a webhook made something else of the ${kind.kind}`);
  const metadata = isObject(value.metadata) ? value.metadata : {};
  const draft = Object.assign(value, { metadata }) as unknown as Draft;
  if (value.kind !== kind.kind || value.apiVersion !== apiVersionOf(kind)) throw internal(otherKind(value));
  if (kind.custom) {
    const [wrong] = decodeErrors(draft.metadata, schemaOf(OBJECT_META));
    if (wrong !== undefined) throw internal(wrong);
    // Its fields are held against the schema at the end, of the version that is stored: in others they may have other names.
    applyDefaults(draft as unknown as Json, kind.schema);
    kind.strategy.default(draft);
    return draft;
  }
  try {
    return settle({ ...context, options: { ...context.options, fieldValidation: 'Ignore' } }, draft);
  } catch (error) {
    throw error instanceof CannotDecode ? internal(error.why) : error;
  }
}

function otherKind({ kind, apiVersion }: JsonObject): string {
  const [name, version] = [kind, apiVersion].map(text => goQuote(String(text ?? '')));
  return `no kind ${name} is registered for version ${version} in scheme "pkg/runtime/scheme.go:111"`;
}
