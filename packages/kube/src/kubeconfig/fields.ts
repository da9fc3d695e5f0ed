import { KubeconfigError } from './errors.ts';

/** Reads the fields of a mapping with their types checked, and complains with the path of the field. */
export class Fields {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #path: string;
  readonly #file: string | undefined;

  constructor(value: unknown, path: string, file: string | undefined) {
    this.#path = path;
    this.#file = file;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw this.#wrong('', 'a mapping');
    this.#values = value as Record<string, unknown>;
  }

  raw(name: string): unknown {
    return this.#values[name] ?? undefined;
  }

  /** The empty text counts as not there, as it does for Kubernetes. */
  text(name: string): string | undefined {
    const value = this.raw(name);
    if (value === undefined || value === '') return undefined;
    if (typeof value === 'boolean') return String(value);
    if (typeof value !== 'string') throw this.#wrong(name, 'a text');
    return value;
  }

  truth(name: string): boolean {
    const value = this.raw(name);
    if (value === undefined || value === '') return false;
    if (typeof value !== 'boolean') throw this.#wrong(name, 'true or false');
    return value;
  }

  texts(name: string): string[] {
    return this.#items(name).map((value, index) => {
      if (typeof value !== 'string') throw this.#wrong(`${name}[${index}]`, 'a text');
      return value;
    });
  }

  list(name: string): Fields[] {
    return this.#items(name).map((value, index) => new Fields(value, this.#at(`${name}[${index}]`), this.#file));
  }

  inner(name: string): Fields | undefined {
    const value = this.raw(name);
    return value === undefined ? undefined : new Fields(value, this.#at(name), this.#file);
  }

  textLists(name: string): Record<string, string[]> {
    const inner = this.inner(name);
    if (inner === undefined) return {};
    return Object.fromEntries(Object.keys(inner.#values).map(key => [key, inner.texts(key)]));
  }

  /** The kubeconfig's way to write a map: a list of `name` and content, each name once. */
  named<T>(name: string, content: string, read: (entry: Fields, name: string) => T): Record<string, T> {
    const entries = new Map<string, T>();
    for (const each of this.list(name)) {
      const key = each.text('name');
      if (key === undefined) throw this.#wrong(`${each.#path.split('.').at(-1)}.name`, 'there and not empty');
      const inner = each.inner(content) ?? new Fields({}, each.#path, this.#file);
      if (entries.has(key)) throw this.#wrong(`${name} (${JSON.stringify(key)})`, 'there once only');
      entries.set(key, read(inner, key));
    }
    return Object.fromEntries(entries);
  }

  #items(name: string): unknown[] {
    const value = this.raw(name) ?? [];
    if (!Array.isArray(value)) throw this.#wrong(name, 'a list');
    return value;
  }

  #at(name: string): string {
    return this.#path === '' ? name : name === '' ? this.#path : `${this.#path}.${name}`;
  }

  #wrong(name: string, expected: string): KubeconfigError {
    const where = `${this.#file ?? 'the kubeconfig'}: ${this.#at(name) || 'the document'}`;
    return new KubeconfigError('KUBECONFIG_BAD_FIELD', `${where} has to be ${expected}`, { file: this.#file });
  }
}
