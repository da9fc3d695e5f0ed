import { deepFreeze } from '@capstan/kube';
import type { Stored } from '../kind.ts';

/**
 * One version of one object: immutable. The JSON text is made once, when the object is written, and serves the disk, every
 * GET, every list and every watcher; the object is parsed from it on first use where only the text is known (after a start).
 */
export class Entry {
  readonly key: string;
  readonly revision: number;
  #object: Stored | undefined;
  #json: string | undefined;
  /** What the object is to other definitions of its kind: another version, another schema. Filled by who needed one. */
  #views: WeakMap<object, Entry> | undefined;

  private constructor(key: string, revision: number, object: Stored | undefined, json: string | undefined) {
    this.key = key;
    this.revision = revision;
    this.#object = object;
    this.#json = json;
  }

  /** `object` must be frozen all the way down and carry `revision` as its resourceVersion. */
  static of(key: string, revision: number, object: Stored): Entry {
    return new Entry(key, revision, object, undefined);
  }

  static fromJson(key: string, revision: number, json: string): Entry {
    return new Entry(key, revision, undefined, json);
  }

  get object(): Stored {
    this.#object ??= deepFreeze(JSON.parse(this.#json!)) as Stored;
    return this.#object;
  }

  get json(): string {
    this.#json ??= JSON.stringify(this.#object);
    return this.#json;
  }

  hasView(definition: object): boolean {
    return this.#views?.has(definition) === true;
  }

  /** `convert` gives the object as it is where there is nothing to change. */
  view(definition: object, convert: (object: Stored) => Stored): Entry {
    this.#views ??= new WeakMap();
    let view = this.#views.get(definition);
    if (!view) {
      const converted = convert(this.object);
      view = converted === this.object ? this : Entry.of(this.key, this.revision, deepFreeze(converted));
      this.#views.set(definition, view);
    }
    return view;
  }
}
