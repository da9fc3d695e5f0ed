/**
 * Replays the cases in `fixtures/` for the tests, and lays them out for the program that records Kubernetes' answers to them
 * (`oracle/apply`). A case is a short story of one object: who created, updated and applied what, one after the other.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { ManagedFieldsEntry, Status } from '@capstan/kube';
import { parse } from 'yaml';
import type { Schema } from '../schema/schema.ts';
import { compareStrings } from './go-text.ts';
import {
  applyConfiguration,
  conflictStatus,
  managedFieldsOfScale,
  managedFieldsOfScaled,
  trackUpdate,
} from './index.ts';
import { isMap, type JsonObject, own, put } from './json-value.ts';

export interface Case {
  readonly name: string;
  readonly kind: string;
  /** apiVersion → name of a schema; '' for a kind without one. */
  readonly versions: Readonly<Record<string, string>>;
  readonly renamed?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
  /** A built-in kind, and what a new Go struct of it looks like in JSON. */
  readonly typed?: boolean | undefined;
  readonly empty?: JsonObject | undefined;
  readonly operations: readonly Operation[];
}

export interface Operation {
  readonly operation: (typeof OPERATIONS)[number];
  readonly manager: string;
  readonly subresource: string;
  readonly apiVersion: string;
  readonly force: boolean;
  readonly time: string;
  readonly resetFields: readonly (readonly string[])[];
  readonly object: JsonObject;
  readonly versions?: Readonly<Record<string, string>> | undefined;
}

export interface Result {
  readonly object?: JsonObject;
  readonly status?: Status;
  readonly error?: string;
}

export interface Answer {
  readonly name: string;
  readonly results: readonly Result[];
}

/** A case as people write it: what every object of it has in common is left out. */
interface Written {
  readonly name: string;
  readonly of?: string;
  readonly apiVersion?: string;
  readonly versions?: Readonly<Record<string, string>>;
  readonly renamed?: Case['renamed'];
  readonly empty?: JsonObject;
  readonly steps: readonly (JsonObject & { readonly as?: string; readonly object?: JsonObject })[];
}

const FIXTURES = new URL('./fixtures/', import.meta.url);

export function readFixture(name: string): string {
  return readFileSync(new URL(name, FIXTURES), 'utf8');
}

/** Definitions by name, with `$ref`. */
export function readDefinitions(): Record<string, JsonObject> {
  const own = parse(readFixture('schemas.yaml'), { merge: true }) as Record<string, JsonObject>;
  return { ...(JSON.parse(readFixture('builtin-schemas.json')) as Record<string, JsonObject>), ...own };
}

/** The hand-written cases, file by file. */
export function readCases(): { readonly topic: string; readonly cases: readonly Case[] }[] {
  return readdirSync(new URL('cases/', FIXTURES))
    .filter(name => name.endsWith('.yaml'))
    .sort()
    .map(name => ({
      topic: name.slice(0, -'.yaml'.length).replaceAll('-', ' '),
      cases: (parse(readFixture(`cases/${name}`)) as Written[]).map(layOut),
    }));
}

const BUILTIN: Readonly<Record<string, readonly [apiVersion: string, schema: string]>> = {
  Deployment: ['apps/v1', 'io.k8s.api.apps.v1.Deployment'],
  Service: ['v1', 'io.k8s.api.core.v1.Service'],
  Pod: ['v1', 'io.k8s.api.core.v1.Pod'],
  ConfigMap: ['v1', 'io.k8s.api.core.v1.ConfigMap'],
  Node: ['v1', 'io.k8s.api.core.v1.Node'],
};

function layOut(written: Written): Case {
  const of = written.of ?? 'Widget';
  const [apiVersion, schema] = BUILTIN[of] ?? ['example.com/v1', of === 'Schemaless' ? '' : of];
  const kind = written.versions === undefined ? of : 'Widget';
  return {
    name: written.name,
    kind,
    versions: written.versions ?? { [apiVersion]: schema },
    renamed: written.renamed,
    typed: written.empty !== undefined,
    empty: written.empty,
    operations: written.steps.map((step, index) => layOutStep(step, index, kind, apiVersion)),
  };
}

const OPERATIONS = ['create', 'update', 'merge', 'apply', 'schema', 'scale-merge', 'scale-apply'] as const;

function layOutStep(step: Written['steps'][number], index: number, kind: string, version: string): Operation {
  const operation = OPERATIONS.find(name => name in step);
  if (operation === undefined) throw new Error(`step ${index} says not what it does: ${JSON.stringify(step)}`);
  const apiVersion = (step['version'] as string | undefined) ?? version;
  const seconds = (step['at'] as number | undefined) ?? index + 1;
  const object = step.object ?? {};
  const scale = operation === 'scale-apply';
  const whole = {
    apiVersion: scale ? 'autoscaling/v1' : apiVersion,
    kind: scale ? 'Scale' : kind,
    ...object,
    metadata: { name: 'it', ...(object['metadata'] as JsonObject | undefined) },
  };
  return {
    operation,
    manager: operation === 'schema' ? '' : (step[operation] as string),
    subresource: (step['subresource'] as string | undefined) ?? '',
    apiVersion,
    force: step['force'] === true,
    time: `2000-01-01T00:00:${String(seconds).padStart(2, '0')}Z`,
    resetFields: (step['reset'] as string[][] | undefined) ?? [],
    object: operation.endsWith('merge') ? object : whole,
    ...(operation === 'schema' ? { versions: step['schema'] as Record<string, string> } : {}),
  };
}

/** Turns definitions with `$ref` into graphs without. */
export function schemaResolver(
  definitions: Readonly<Record<string, JsonObject>>,
): (name: string) => Schema | undefined {
  const named = new Map<string, Schema>();
  const resolve = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(resolve);
    if (!isMap(node)) return node;
    const { $ref, allOf, ...rest } = node as { $ref?: string; allOf?: { $ref?: string }[] };
    const reference = $ref ?? (allOf?.length === 1 ? allOf[0]?.$ref : undefined);
    if (reference === undefined)
      return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, resolve(value)]));
    const name = reference.slice('#/definitions/'.length);
    const mapType = (rest as Schema)['x-kubernetes-map-type'];
    if (mapType === undefined) return lookUp(name);
    return resolve({ ...definitions[name], 'x-kubernetes-map-type': mapType });
  };
  const lookUp = (name: string): Schema => {
    let schema = named.get(name);
    if (schema !== undefined) return schema;
    named.set(name, (schema = {}));
    return Object.assign(schema, resolve(definitions[name]));
  };
  return name => (name === '' ? undefined : lookUp(name));
}

/**
 * Results in a form that can be compared where several things are wrong at once: Go goes through maps in random order, so
 * problems and causes come in any order.
 */
export function comparable(results: readonly Result[]): Result[] {
  return results.map(({ object, status, error }) => ({
    ...(object === undefined ? {} : { object }),
    ...(error === undefined ? {} : { error: error.split('\n').sort().join('\n') }),
    ...(status === undefined ? {} : { status: sortCauses(status) }),
  }));
}

function sortCauses(status: Status): Status {
  const causes = status.details?.causes;
  if (causes === undefined) return status;
  const text = (cause: (typeof causes)[number]) => `${cause.message} ${cause.field}`;
  const sorted = causes.toSorted((a, b) => compareStrings(text(a), text(b)));
  return { ...status, details: { ...status.details, causes: sorted } };
}

/** What our code answers to a case, in the form in which Kubernetes' answers were recorded. */
export function replay(testCase: Case, schemaOf: (name: string) => Schema | undefined): Result[] {
  let live: JsonObject | undefined;
  let versions = testCase.versions;
  return testCase.operations.map(operation => {
    if (operation.operation === 'schema') {
      versions = operation.versions ?? versions;
      return {};
    }
    const how = operation.operation.startsWith('scale-') ? scale : perform;
    const result = how(testCase, operation, versions, live, schemaOf);
    if (result.object !== undefined) live = deepFreeze(withUid(result.object));
    return result.object === undefined ? result : { object: live! };
  });
}

function perform(
  testCase: Case,
  operation: Operation,
  versions: Readonly<Record<string, string>>,
  stored: JsonObject | undefined,
  schemaOf: (name: string) => Schema | undefined,
): Result {
  const { manager, subresource, apiVersion, time, resetFields, force, object } = operation;
  const convert = (from: JsonObject, to: string) => convertWidget(from, to, testCase.renamed ?? {});
  const live = stored === undefined || stored['apiVersion'] === apiVersion ? stored : convert(stored, apiVersion);
  const write = {
    manager,
    subresource,
    apiVersion,
    time,
    resetFields,
    schema: schemaOf(versions[apiVersion] ?? ''),
    schemaFor: (version: string) => (version in versions ? (schemaOf(versions[version]!) ?? {}) : undefined),
    convert,
    empty: testCase.empty,
  };
  if (operation.operation !== 'apply') {
    const next =
      operation.operation === 'merge'
        ? (mergePatch(live ?? { apiVersion, kind: testCase.kind, metadata: {} }, object) as JsonObject)
        : object;
    return { object: withManagedFields(next, trackUpdate({ ...write, live, next })) };
  }
  const applied = applyConfiguration({ ...write, kind: testCase.kind, live, config: object, force });
  switch (applied.outcome) {
    case 'applied':
      return { object: applied.object };
    case 'conflict':
      return { status: conflictStatus(applied.conflicts) };
    case 'refused':
      return applied.code === 400 ? { status: badRequest(applied.message) } : { error: applied.message };
  }
}

/** As the server writes to /scale. */
function scale(
  { kind }: Case,
  operation: Operation,
  versions: Readonly<Record<string, string>>,
  stored: JsonObject | undefined,
  schemaOf: (name: string) => Schema | undefined,
): Result {
  const paths = Object.fromEntries(Object.keys(versions).map(version => [version, ['spec', 'replicas']]));
  const parent = stored!['metadata'] as {
    readonly name: string;
    readonly managedFields?: readonly ManagedFieldsEntry[];
  };
  const live = {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: parent.name, uid: '1', managedFields: managedFieldsOfScale(parent.managedFields, paths) },
    spec: { replicas: (stored!['spec'] as JsonObject)['replicas'] },
    status: {},
  };
  const inner = {
    ...operation,
    operation: operation.operation === 'scale-apply' ? 'apply' : 'merge',
    apiVersion: 'autoscaling/v1',
    subresource: 'scale',
  } as const;
  const scaleCase = { name: '', kind: 'Scale', versions: { 'autoscaling/v1': 'Scale' }, operations: [] };
  const { object, ...failure } = perform(scaleCase, inner, scaleCase.versions, live, schemaOf);
  if (object === undefined) return failure;
  const entries = (object['metadata'] as typeof parent).managedFields;
  const { apiVersion } = operation;
  return {
    object: withManagedFields(
      { ...stored, apiVersion, kind, spec: { ...(stored!['spec'] as JsonObject), ...(object['spec'] as JsonObject) } },
      managedFieldsOfScaled(parent.managedFields, entries, apiVersion, paths),
    ),
  };
}

function badRequest(message: string): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason: 'BadRequest',
    code: 400,
  };
}

function withManagedFields(object: JsonObject, entries: readonly ManagedFieldsEntry[] | undefined): JsonObject {
  const { managedFields: _, ...metadata } = object['metadata'] as JsonObject;
  return { ...object, metadata: entries === undefined ? metadata : { ...metadata, managedFields: entries } };
}

function withUid(object: JsonObject): JsonObject {
  return { ...object, metadata: { ...(object['metadata'] as JsonObject), uid: '1' } };
}

function convertWidget(object: JsonObject, apiVersion: string, renamed: NonNullable<Case['renamed']>): JsonObject {
  const from = object['apiVersion'] as string;
  if (from === apiVersion) return object;
  const there = renamed[from] ?? {};
  const here = Object.fromEntries(
    Object.entries(renamed[apiVersion] ?? {}).map(([name, elsewhere]) => [elsewhere, name]),
  );
  const spec = object['spec'];
  if (!isMap(spec)) return { ...object, apiVersion };
  const fields = Object.entries(spec).map(([name, value]) => [here[there[name] ?? name] ?? there[name] ?? name, value]);
  return { ...object, apiVersion, spec: Object.fromEntries(fields) };
}

function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isMap(patch)) return patch;
  const out: Record<string, unknown> = isMap(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete out[key];
    else put(out, key, mergePatch(own(out, key), value));
  }
  return out;
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const child of Object.values(value)) deepFreeze(child);
  }
  return value;
}
