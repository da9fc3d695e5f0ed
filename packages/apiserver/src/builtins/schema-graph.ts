/**
 * The shapes of the built-in kinds. `schemas.gen.json` names definitions and refers to them by name; here they become the
 * graph without references that the rest of the server reads, each definition on its first use, once.
 */
import { readFileSync } from 'node:fs';
import type { Schema } from '../schema/schema.ts';

/** A definition as it stands in the file: a `Schema` whose inner nodes may be `{ $ref: 'io.k8s.…' }`. */
export interface RawDefinition extends Schema {
  readonly 'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[];
  /** Per field its Go type and marks: see `go-struct.ts`. */
  readonly 'x-go-fields'?: Readonly<Record<string, string>>;
}

interface SchemasFile {
  readonly kubernetes: string;
  readonly definitions: Readonly<Record<string, RawDefinition>>;
}

type RawNode = Schema & { readonly $ref?: string };

let file: SchemasFile | undefined;
const linked = new Map<string, Schema>();
const names = new WeakMap<Schema, string>();

function schemasFile(): SchemasFile {
  file ??= JSON.parse(readFileSync(new URL('./schemas.gen.json', import.meta.url), 'utf8')) as SchemasFile;
  return file;
}

/** The Kubernetes release that the shapes are from, e.g. `v1.37.1`. */
export function kubernetesVersion(): string {
  return schemasFile().kubernetes;
}

/** All definitions by name, with their references: what the OpenAPI documents are made of. */
export function rawDefinitions(): Readonly<Record<string, RawDefinition>> {
  return schemasFile().definitions;
}

/** The schema of `io.k8s.api.apps.v1.Deployment`. Throws for a name that is not in the file: a mistake in a table. */
export function schemaOf(definition: string): Schema {
  const schema = linkDefinition(definition);
  for (const complete of unfinished.splice(0)) complete();
  return schema;
}

/** The definition that a node of the graph is, and undefined for one that stands inside a definition. */
export function definitionOf(schema: Schema): string | undefined {
  return names.get(schema);
}

/** Copies of definitions whose inside is complete only when the definition that was asked for is. */
const unfinished: (() => void)[] = [];

function linkDefinition(definition: string): Schema {
  const known = linked.get(definition);
  if (known !== undefined) return known;
  const raw = rawDefinitions()[definition];
  if (raw === undefined) throw new Error(`there is no schema ${definition}: run scripts/schemas/generate.ts`);
  // Registered before its inside is linked, so that a definition which contains itself finds this very node.
  const schema = {} as Schema;
  linked.set(definition, schema);
  names.set(schema, definition);
  const { 'x-go-fields': _fields, 'x-kubernetes-group-version-kind': _kinds, ...structure } = raw;
  return Object.assign(schema, linkChildren(structure));
}

function link(node: RawNode): Schema {
  if (node.$ref === undefined) return linkChildren(node);
  const { $ref, ...marks } = node;
  const target = linkDefinition($ref);
  if (Object.keys(marks).length === 0) return target;
  // A field may add marks of its own (a default, a merge strategy) to the definition it refers to.
  const copy = {} as Schema;
  names.set(copy, $ref);
  unfinished.push(() => Object.assign(copy, target, marks));
  return copy;
}

function linkChildren(node: Schema): Schema {
  const { properties, items, additionalProperties } = node;
  return {
    ...node,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, child]) => [name, link(child)])),
    }),
    ...(items && { items: link(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: link(additionalProperties) }),
  };
}
