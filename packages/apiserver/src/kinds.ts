/** Which kinds are served now: the built-in ones, and those of the CustomResourceDefinitions that are established. */
import { apiVersionOf } from '@capstan/kube';
import { builtinKinds } from './builtins/index.ts';
import type { KindDefinition } from './kind.ts';

export class Kinds {
  readonly #byPath = new Map<string, KindDefinition>();
  readonly #custom = new Map<string, readonly KindDefinition[]>();

  constructor() {
    for (const kind of builtinKinds()) this.#byPath.set(pathOf(kind), kind);
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
    for (const kind of this.#byPath.values()) if (kind.group === group && kind.version === version) return true;
    return false;
  }

  /** Serves these kinds in place of those that the CRD of this name had before. */
  serve(crd: string, kinds: readonly KindDefinition[]): void {
    this.withdraw(crd);
    this.#custom.set(crd, kinds);
    for (const kind of kinds) this.#byPath.set(pathOf(kind), kind);
  }

  withdraw(crd: string): void {
    for (const kind of this.#custom.get(crd) ?? []) this.#byPath.delete(pathOf(kind));
    this.#custom.delete(crd);
  }
}

const pathOf = (kind: { group: string; version: string; plural: string }): string =>
  `${apiVersionOf(kind)}/${kind.plural}`;
