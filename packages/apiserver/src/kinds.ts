/** Which kinds are served now: the built-in ones, and those of the CustomResourceDefinitions that are established. */
import { apiVersionOf } from '@capstan/kube';
import { builtinKinds } from './builtins/index.ts';
import { crdStrategy } from './crd/index.ts';
import type { KindDefinition } from './kind.ts';

const BUILTIN_GROUPS: ReadonlySet<string> = new Set(builtinKinds().map(({ group }) => group));

/** What a definition of kinds may say is checked by `crd/`, which stands on the built-in kinds and not among them. */
const SERVED: readonly KindDefinition[] = builtinKinds().map(kind => {
  if (kind.kind !== 'CustomResourceDefinition') return kind;
  const strategy = { value: crdStrategy(kind.strategy), enumerable: true };
  // Property by property, so that the getter of the schema stays one.
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(kind), strategy }) as KindDefinition;
});

export class Kinds {
  readonly #byPath = new Map<string, KindDefinition>();
  /** How many kinds each `group/version` has. */
  readonly #groupVersions = new Map<string, number>();
  readonly #custom = new Map<string, readonly KindDefinition[]>();
  readonly #listeners = new Map<string, Set<() => void>>();

  constructor() {
    for (const kind of SERVED) this.#add(kind);
  }

  find(group: string, version: string, plural: string): KindDefinition | undefined {
    return this.#byPath.get(pathOf({ group, version, plural }));
  }

  byKind(group: string, version: string, kind: string): KindDefinition | undefined {
    for (const definition of this.#byPath.values()) {
      if (definition.kind === kind && definition.group === group && definition.version === version) return definition;
    }
    return undefined;
  }

  /** In the order in which they were defined. */
  all(): IterableIterator<KindDefinition> {
    return this.#byPath.values();
  }

  hasGroupVersion(group: string, version: string): boolean {
    return this.#groupVersions.has(apiVersionOf({ group, version }));
  }

  isBuiltinGroup(group: string): boolean {
    return BUILTIN_GROUPS.has(group);
  }

  /** Serves these kinds in place of those that the CRD of this name had before. */
  serve(crd: string, kinds: readonly KindDefinition[]): void {
    this.#drop(crd);
    this.#custom.set(crd, kinds);
    for (const kind of kinds) this.#add(kind);
  }

  withdraw(crd: string): void {
    const gone = this.#custom.get(crd) ?? [];
    this.#drop(crd);
    for (const kind of gone) for (const listener of [...(this.#listeners.get(pathOf(kind)) ?? [])]) listener();
  }

  /** Calls back once when the kind is no longer served, whichever definition it has then. */
  onWithdrawn(kind: KindDefinition, listener: () => void): () => void {
    if (!kind.custom) return () => {}; // these stay
    const path = pathOf(kind);
    const listeners = this.#listeners.get(path) ?? new Set();
    this.#listeners.set(path, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(path);
    };
  }

  #drop(crd: string): void {
    for (const kind of this.#custom.get(crd) ?? []) {
      this.#byPath.delete(pathOf(kind));
      const left = this.#groupVersions.get(apiVersionOf(kind))! - 1;
      if (left === 0) this.#groupVersions.delete(apiVersionOf(kind));
      else this.#groupVersions.set(apiVersionOf(kind), left);
    }
    this.#custom.delete(crd);
  }

  #add(kind: KindDefinition): void {
    this.#byPath.set(pathOf(kind), kind);
    this.#groupVersions.set(apiVersionOf(kind), (this.#groupVersions.get(apiVersionOf(kind)) ?? 0) + 1);
  }
}

const pathOf = (kind: { group: string; version: string; plural: string }): string =>
  `${apiVersionOf(kind)}/${kind.plural}`;
