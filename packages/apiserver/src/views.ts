/**
 * Objects in the version that was asked for. Most are made on the spot (`storage.ts`); where a webhook converts between the
 * versions of a kind it has to be asked first, and what it answered is kept with the stored object.
 */
import { apiVersionOf, deepClone, type Random, uuid } from '@capstan/kube';
import { type ConversionCall, ConversionError, relabel, webhookConverter } from './crd/index.ts';
import type { Draft, KindDefinition, Stored } from './kind.ts';
import { failure } from './status.ts';
import { asStoredVersion, asVersion, needsWebhook, toStored, viewOf } from './storage.ts';
import { Entry } from './store/entry.ts';

export class Views {
  readonly #call: ConversionCall;
  readonly #random: Random;

  constructor(call: ConversionCall, random: Random) {
    this.#call = call;
    this.#random = random;
  }

  /** Makes sure that `viewOf(kind)` has an answer for each of these. */
  async ready(kind: KindDefinition, entries: readonly Entry[]): Promise<void> {
    const missing = entries.filter(entry => needsWebhook(kind, entry.object) && !entry.hasView(kind));
    if (missing.length === 0) return;
    const objects = missing.map(entry => asStoredVersion(kind, entry.object));
    const converted = await this.#convert(kind, objects, apiVersionOf(kind));
    missing.forEach((entry, index) => {
      entry.view(kind, () => asVersion(kind, converted[index] as Stored));
    });
  }

  async of(kind: KindDefinition, entry: Entry): Promise<Entry> {
    await this.ready(kind, [entry]);
    return viewOf(kind)(entry);
  }

  /** A draft of `kind`'s version, as it is stored. */
  async stored(kind: KindDefinition, draft: Draft): Promise<Draft> {
    const { group, storage, conversionWebhook } = kind;
    if (!conversionWebhook || kind.version === storage.version) return toStored(kind, draft);
    const [converted] = await this.#convert(kind, [draft as Stored], apiVersionOf({ group, version: storage.version }));
    return toStored(kind, converted!);
  }

  /** An object of one version of a kind in another. */
  async convert(from: KindDefinition, to: KindDefinition, object: Draft | Stored): Promise<Draft> {
    const apiVersion = apiVersionOf(to);
    if (apiVersionOf(from) === apiVersion) return object as Draft;
    if (!from.custom) {
      const stored = toStored(from, deepClone(object) as Draft) as Stored;
      return filled(to, deepClone(viewOf(to)(Entry.of('', 0, stored)).object) as Draft);
    }
    if (!from.conversionWebhook) return relabel(deepClone(object) as Draft, apiVersion);
    const [converted] = await this.#convert(from, [object as Stored], apiVersion);
    return converted!;
  }

  async #convert(kind: KindDefinition, objects: readonly Stored[], apiVersion: string): Promise<Draft[]> {
    const convert = webhookConverter(kind.conversionWebhook!, this.#call, () => uuid(this.#random));
    try {
      return await convert(objects, apiVersion);
    } catch (error) {
      const from = `${objects[0]!.apiVersion}, Kind=${kind.kind}`;
      const why =
        error instanceof ConversionError ? error.message : `conversion webhook for ${from} failed: ${reason(error)}`;
      throw failure(500, '', why);
    }
  }
}

/** A version may always show a field that another leaves out while it is empty. */
function filled({ empty = {} }: KindDefinition, draft: Draft): Draft {
  for (const [field, fields] of Object.entries(empty)) {
    if (draft[field] !== undefined) draft[field] = { ...(fields as object), ...draft[field] };
  }
  return draft;
}

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
