/** Reads Chart.yaml, requirements.yaml and lock files into their types, as Go's YAML library fills structs. */

import { GoMap, GoSlice, parseYaml, sprint, toHost, type Value } from '@capstan/gotemplate';
import type { Lock, LockedDependency } from './chart.ts';
import type { Dependency, Maintainer, Metadata } from './metadata.ts';

/** A mapping of YAML, read field by field. A field of the wrong kind is an error with Go's words. */
class Fields {
  readonly #map: GoMap;
  readonly #struct: string;

  constructor(value: Value, struct: string) {
    if (value !== null && !(value instanceof GoMap)) throw mismatch(value, `Go value of type chart.${struct}`);
    this.#map = value ?? new GoMap();
    this.#struct = struct;
  }

  /** encoding/json takes a key in any case where the exact one is absent. */
  #get(name: string): Value {
    if (this.#map.has(name)) return this.#map.get(name);
    const other = this.#map.keys().find(key => key.toLowerCase() === name.toLowerCase());
    return other === undefined ? undefined : this.#map.get(other);
  }

  /** Numbers and booleans become text where text is wanted: `appVersion: 1.10` is "1.1". */
  string(name: string): string {
    return this.#text(this.#get(name), name);
  }

  boolean(name: string): boolean {
    const value = this.#get(name) ?? false;
    if (typeof value !== 'boolean') throw this.#mismatch(value, name, 'bool');
    return value;
  }

  strings(name: string): string[] {
    return this.list(name, '[]string').map(item => this.#text(item, name));
  }

  list(name: string, type = '[]interface {}'): readonly Value[] {
    const value = this.#get(name) ?? null;
    if (value === null) return [];
    if (!(value instanceof GoSlice)) throw this.#mismatch(value, name, type);
    return value.items;
  }

  map(name: string): Record<string, string> {
    const value = this.#get(name) ?? null;
    const out: Record<string, string> = Object.create(null);
    if (value === null) return out;
    if (!(value instanceof GoMap)) throw this.#mismatch(value, name, 'map[string]string');
    for (const key of value.keys()) out[key] = this.#text(value.get(key), name);
    return out;
  }

  #text(value: Value, name: string): string {
    if (value === undefined || value === null) return '';
    if (value instanceof GoMap || value instanceof GoSlice) throw this.#mismatch(value, name, 'string');
    return typeof value === 'number' ? String(value) : sprint([value]);
  }

  #mismatch(value: Value, name: string, type: string): Error {
    return mismatch(value, `Go struct field ${this.#struct}.${name} of type ${type}`);
  }
}

function mismatch(value: Value, target: string): Error {
  const kind = value instanceof GoMap ? 'object' : value instanceof GoSlice ? 'array' : typeof value;
  const word = kind === 'boolean' ? 'bool' : kind;
  return new Error(`error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${word} into ${target}`);
}

/** Leaves out what is empty, as `omitempty` does. */
function compact<T extends object>(fields: T): T {
  const entries = Object.entries(fields).filter(([, value]) => {
    if (Array.isArray(value)) return value.length > 0;
    if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
    return value !== '' && value !== false && value !== undefined;
  });
  return Object.fromEntries(entries) as T;
}

export function readDependencies(value: Value): Dependency[] {
  return new Fields(value, 'Metadata').list('dependencies', '[]*chart.Dependency').map(readDependency);
}

function readDependency(item: Value): Dependency {
  if (item === null) return null as unknown as Dependency;
  const fields = new Fields(item, 'Dependency');
  const required = { name: fields.string('name'), repository: fields.string('repository') };
  return {
    ...compact({
      version: fields.string('version'),
      condition: fields.string('condition'),
      tags: fields.strings('tags'),
      enabled: fields.boolean('enabled'),
      'import-values': fields.list('import-values').map(entry => toHost(entry)),
      alias: fields.string('alias'),
    }),
    ...required,
  };
}

/** Chart.yaml. Charts of Helm 2 have no apiVersion; they count as v1. */
export function readMetadata(text: string): Metadata {
  const root = parseYaml(text);
  const fields = new Fields(root, 'Metadata');
  return compact({
    name: fields.string('name'),
    home: fields.string('home'),
    sources: fields.strings('sources'),
    version: fields.string('version'),
    description: fields.string('description'),
    keywords: fields.strings('keywords'),
    maintainers: fields.list('maintainers', '[]*chart.Maintainer').map(readMaintainer),
    icon: fields.string('icon'),
    apiVersion: fields.string('apiVersion') || 'v1',
    condition: fields.string('condition'),
    tags: fields.string('tags'),
    appVersion: fields.string('appVersion'),
    deprecated: fields.boolean('deprecated'),
    annotations: fields.map('annotations'),
    kubeVersion: fields.string('kubeVersion'),
    dependencies: readDependencies(root),
    type: fields.string('type'),
  });
}

function readMaintainer(item: Value): Maintainer {
  if (item === null) return null as unknown as Maintainer;
  const fields = new Fields(item, 'Maintainer');
  return compact({ name: fields.string('name'), email: fields.string('email'), url: fields.string('url') });
}

/** requirements.yaml of v1 charts: its dependencies take the place of Chart.yaml's. */
export function readRequirements(text: string): Dependency[] {
  return readDependencies(parseYaml(text));
}

export function readLock(text: string): Lock {
  const fields = new Fields(parseYaml(text), 'Lock');
  const dependencies = fields.list('dependencies', '[]*chart.Dependency').map((item): LockedDependency => {
    const locked = new Fields(item, 'Dependency');
    const version = locked.string('version');
    return { name: locked.string('name'), repository: locked.string('repository'), ...(version && { version }) };
  });
  return { generated: fields.string('generated'), digest: fields.string('digest'), dependencies };
}
