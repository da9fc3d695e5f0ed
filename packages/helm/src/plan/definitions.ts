/** Whether another version of a definition would break objects that are there. */
import { isNotFound, type Resource } from '@capstan/kube';
import type { Helm } from '../action/context.ts';
import { parseManifest } from '../apply/manifest.ts';

export interface DefinitionPlan {
  /** `crontabs.stable.example.com`. */
  readonly name: string;
  /**
   * - `new`: it is not there, and would be made
   * - `same`: it is there as the chart has it
   * - `safe`: the chart has another one, which objects of today meet
   * - `unsafe`: the chart has another one, which objects of today may not meet; `problems` says why
   *
   * As Helm, an operation never changes a definition that is there: apply the chart's own if you want it.
   */
  readonly verdict: 'new' | 'same' | 'safe' | 'unsafe';
  readonly problems: readonly string[];
}

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly pattern?: string;
  readonly maximum?: number;
  readonly minimum?: number;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly [keyword: string]: unknown;
}

interface Version {
  readonly name: string;
  readonly served?: boolean;
  readonly storage?: boolean;
  readonly schema?: { readonly openAPIV3Schema?: Schema };
}

interface Definition {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly scope?: string; readonly versions?: readonly Version[] };
  readonly status?: { readonly storedVersions?: readonly string[] };
}

const customResourceDefinitions: Resource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

export async function planDefinitions(helm: Helm, texts: readonly string[]): Promise<DefinitionPlan[]> {
  const wanted = texts.flatMap(parseManifest).filter(({ object }) => object.kind === 'CustomResourceDefinition');
  return Promise.all(
    wanted.map(async ({ object }) => {
      const { name } = object.metadata;
      try {
        const live = await helm.client.get(customResourceDefinitions, { name });
        return verdictOn(live as unknown as Definition, object as unknown as Definition);
      } catch (error) {
        if (!isNotFound(error)) throw error;
        return { name, verdict: 'new', problems: [] };
      }
    }),
  );
}

/** Whether what `live` accepts, `wanted` accepts too. Careful rather than clever: what it cannot judge is a problem. */
export function verdictOn(live: Definition, wanted: Definition): DefinitionPlan {
  const { name } = wanted.metadata;
  const problems: string[] = [];
  if (live.spec.scope !== wanted.spec.scope) {
    problems.push(`the scope changes from ${live.spec.scope} to ${wanted.spec.scope}`);
  }
  const versions = wanted.spec.versions ?? [];
  for (const stored of live.status?.storedVersions ?? []) {
    if (!versions.some(version => version.name === stored)) problems.push(`version ${stored} is stored, and goes away`);
  }
  let changed = problems.length > 0 || versions.length !== (live.spec.versions ?? []).length;
  for (const before of live.spec.versions ?? []) {
    const after = versions.find(version => version.name === before.name);
    if (!after || (before.served && after.served === false)) {
      if (before.served) problems.push(`version ${before.name} is served, and goes away`);
      continue;
    }
    const [old, fresh] = [before.schema?.openAPIV3Schema ?? {}, after.schema?.openAPIV3Schema ?? {}];
    if (JSON.stringify(sorted(old)) !== JSON.stringify(sorted(fresh))) changed = true;
    problems.push(...schemaProblems(old, fresh, before.name));
  }
  const verdict = problems.length > 0 ? 'unsafe' : changed ? 'safe' : 'same';
  return { name, verdict, problems };
}

function schemaProblems(before: Schema, after: Schema, path: string): string[] {
  const problems: string[] = [];
  if (before.type !== after.type) problems.push(`${path}: the type changes from ${before.type} to ${after.type}`);
  for (const name of after.required ?? []) {
    if (!before.required?.includes(name)) problems.push(`${path}.${name} becomes required`);
  }
  for (const value of before.enum ?? (after.enum ? ['(anything)'] : [])) {
    if (after.enum && !after.enum.includes(value)) problems.push(`${path}: ${String(value)} is no longer allowed`);
  }
  if (after.pattern !== undefined && after.pattern !== before.pattern) problems.push(`${path}: the pattern changes`);
  problems.push(...boundProblems(before, after, path));
  for (const [name, property] of Object.entries(before.properties ?? {})) {
    const next = after.properties?.[name];
    if (next) problems.push(...schemaProblems(property, next, `${path}.${name}`));
    else if (!after['x-kubernetes-preserve-unknown-fields']) problems.push(`${path}.${name} goes away`);
  }
  if (before.items && after.items) problems.push(...schemaProblems(before.items, after.items, `${path}[]`));
  if (typeof before.additionalProperties === 'object' && typeof after.additionalProperties === 'object') {
    problems.push(...schemaProblems(before.additionalProperties, after.additionalProperties, `${path}.*`));
  }
  return problems;
}

function boundProblems(before: Schema, after: Schema, path: string): string[] {
  const problems: string[] = [];
  for (const bound of ['maximum', 'maxLength', 'maxItems'] as const) {
    const limit = after[bound];
    if (limit !== undefined && limit < (before[bound] ?? Number.POSITIVE_INFINITY)) {
      problems.push(`${path}: ${bound} becomes ${limit}`);
    }
  }
  for (const bound of ['minimum', 'minLength', 'minItems'] as const) {
    const limit = after[bound];
    if (limit !== undefined && limit > (before[bound] ?? Number.NEGATIVE_INFINITY)) {
      problems.push(`${path}: ${bound} becomes ${limit}`);
    }
  }
  return problems;
}

/** Servers and charts write keys in different orders, and descriptions decide nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== 'description');
  return Object.fromEntries(
    entries.sort(([left], [right]) => (left < right ? -1 : 1)).map(([key, field]) => [key, sorted(field)]),
  );
}
