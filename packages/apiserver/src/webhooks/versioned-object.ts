/** The object of a request in the versions that webhooks want it in. */
import { apiVersionOf } from '@capstan/kube';
import type { Draft, KindDefinition, Stored } from '../kind.ts';
import { asVersion } from '../storage.ts';
import type { Views } from '../views.ts';

/** As the kind that a rule names: for a subresource whose object is of another kind, that kind has one version only. */
export function kindOfObject(attributes: { kind: KindDefinition; resource: KindDefinition }, named: KindDefinition) {
  return attributes.kind === attributes.resource ? named : attributes.kind;
}

/** What a mutating webhook sees and changes. Nothing is converted that need not be: a conversion can lose something. */
export class VersionedDraft {
  readonly #views: Views;
  readonly #own: KindDefinition;
  #kind: KindDefinition;
  #draft: Draft;
  #isChanged = false;

  constructor(views: Views, kind: KindDefinition, draft: Draft) {
    this.#views = views;
    this.#own = kind;
    this.#kind = kind;
    this.#draft = draft;
  }

  async as(kind: KindDefinition): Promise<Draft> {
    return this.#views.convert(this.#kind, kind, this.#draft);
  }

  replace(kind: KindDefinition, draft: Draft): void {
    this.#kind = kind;
    this.#draft = draft;
    this.#isChanged = true;
  }

  /** As it stands, in whichever version. */
  get current(): Draft {
    return this.#draft;
  }

  /** In the version of the request, with no more than its fields where something changed. */
  async result(): Promise<Draft> {
    const draft = await this.as(this.#own);
    return this.#isChanged && this.#own.custom ? (asVersion(this.#own, draft as Stored) as Draft) : draft;
  }
}

/** The same object in several versions, each made once. */
export class VersionedObject {
  readonly #views: Views;
  readonly #kind: KindDefinition;
  readonly #object: Stored | Draft | undefined;
  readonly #converted = new Map<string, Promise<Draft>>();

  constructor(views: Views, kind: KindDefinition, object: Stored | Draft | undefined) {
    this.#views = views;
    this.#kind = kind;
    this.#object = object;
  }

  async as(kind: KindDefinition): Promise<Draft | undefined> {
    if (!this.#object || kind === this.#kind) return this.#object as Draft | undefined;
    const key = apiVersionOf(kind);
    let converted = this.#converted.get(key);
    if (!converted) this.#converted.set(key, (converted = this.#views.convert(this.#kind, kind, this.#object)));
    return converted;
  }
}
