/**
 * A kind of one's own, from one definition: the static type, the CustomResourceDefinition, and validation at run time.
 */
import {
  apiVersionOf,
  type CustomResourceDefinition,
  type CustomResourceVersion,
  type KubeObject,
  type PrinterColumn,
  type Resource,
  type ValidationRule,
} from '@capstan/kube';
import { stringify } from 'yaml';
import type { z } from 'zod';
import { ControllerError } from '../errors.ts';
import { type SchemaDraft, structuralSchema } from './structural.ts';

/** What a schema describes, as it comes out of the API: with defaults, and not to be changed. */
export type ReadonlyDeep<T> = T extends readonly (infer Item)[]
  ? readonly ReadonlyDeep<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> }
    : T;

/** The objects of a custom resource. There is no status before a controller has written one. */
export type CustomObject<S extends z.ZodObject> = KubeObject &
  ReadonlyDeep<Omit<z.output<S>, 'status'>> &
  ('status' extends keyof z.output<S>
    ? { readonly status?: ReadonlyDeep<NonNullable<z.output<S>['status']>> }
    : unknown);

/** The type of a custom resource's objects: `type Robot = ObjectOf<typeof robots>`. */
export type ObjectOf<R> = R extends Resource<infer T> ? T : never;

export interface CustomResourceOptions<S extends z.ZodObject> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Default: the kind in lower case with an `s`. */
  readonly plural?: string;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  /** `kubectl get all` and the like: groups of kinds. */
  readonly categories?: readonly string[];
  /** Default: `Namespaced`. */
  readonly scope?: 'Namespaced' | 'Cluster';
  /** What stands beside `metadata`: usually `spec` and `status`. */
  readonly schema: S;
  /** What `kubectl get` shows. The age is always added. */
  readonly columns?: readonly PrinterColumn[];
  /** Default: `status` if the schema has one. */
  readonly subresources?: CustomResourceVersion['subresources'];
  /** Rules in CEL over the whole object. Rules of a field stand at the field: `.meta({ 'x-kubernetes-validations': … })`. */
  readonly rules?: readonly ValidationRule[];
  /** Fields that selectors may name: `.spec.robot`. Kubernetes 1.30 and later. */
  readonly selectableFields?: readonly string[];
}

/** A `Resource` to hand to clients, caches and controllers, and the definition behind it. */
export interface CustomResource<T extends KubeObject = KubeObject> extends Resource<T> {
  /** To be applied to a cluster; see `ensureCrds`. */
  readonly definition: CustomResourceDefinition;
  /** The definition as YAML, for `kubectl apply -f -` and for files that people read. */
  readonly yaml: string;
  /** What is wrong with an object, field by field; nothing if it is valid. */
  problems(object: unknown): readonly Problem[];
  /** The object with defaults filled in, or an error that names every field that is wrong. */
  parse(object: unknown): T;
}

export interface Problem {
  /** `.spec.steps[0].name` */
  readonly path: string;
  readonly message: string;
}

/**
 * @example
 * const robots = customResource({
 *   group: 'robot.k8s4r.io', version: 'v1alpha1', kind: 'Robot', shortNames: ['rb'],
 *   schema: z.object({ spec: z.object({ robotId: z.string() }), status: z.object({ phase: z.string() }).optional() }),
 *   columns: [{ name: 'Phase', type: 'string', jsonPath: '.status.phase' }],
 * });
 */
export function customResource<S extends z.ZodObject>(
  options: CustomResourceOptions<S>,
): CustomResource<CustomObject<S>> {
  const { group, version, kind, schema, scope = 'Namespaced' } = options;
  const plural = options.plural ?? `${kind.toLowerCase()}s`;
  const definition = definitionOf({ ...options, plural });
  const problems = (object: unknown): Problem[] => {
    const { success, error } = schema.safeParse(object);
    return success ? [] : error.issues.map(({ path, message }) => ({ path: pathOf(path), message }));
  };
  return Object.freeze({
    group,
    version,
    kind,
    plural,
    namespaced: scope === 'Namespaced',
    definition,
    get yaml(): string {
      return stringify(definition, { aliasDuplicateObjects: false, lineWidth: 0 });
    },
    problems,
    parse(object: unknown): CustomObject<S> {
      const found = problems(object);
      const { apiVersion, kind: actual, metadata } = object as Partial<KubeObject>;
      if (found.length > 0) {
        const list = found.map(({ path, message }) => `${path}: ${message}`).join('; ');
        throw new ControllerError('InvalidObject', `${kind} ${metadata?.name ?? ''} is not valid: ${list}`);
      }
      const head = { apiVersion: apiVersion ?? apiVersionOf({ group, version }), kind: actual ?? kind, metadata };
      return { ...head, ...schema.parse(object) } as unknown as CustomObject<S>;
    },
  });
}

function definitionOf(
  options: CustomResourceOptions<z.ZodObject> & { readonly plural: string },
): CustomResourceDefinition {
  const { group, version, kind, plural, shortNames, categories, scope = 'Namespaced', columns = [] } = options;
  const { subresources = 'status' in options.schema.shape ? { status: {} } : undefined, selectableFields } = options;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular: options.singular ?? kind.toLowerCase(),
        ...(shortNames !== undefined && { shortNames }),
        ...(categories !== undefined && { categories }),
      },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: rootSchema(options) },
          ...(subresources !== undefined && { subresources }),
          additionalPrinterColumns: [
            ...columns,
            { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
          ],
          ...(selectableFields !== undefined && { selectableFields: selectableFields.map(jsonPath => ({ jsonPath })) }),
        },
      ],
    },
  };
}

function rootSchema({ kind, schema, rules }: CustomResourceOptions<z.ZodObject>): SchemaDraft {
  for (const taken of ['apiVersion', 'kind', 'metadata']) {
    if (taken in schema.shape) {
      throw new ControllerError(
        'NotStructural',
        `the schema of ${kind} describes ${taken}, which every object has anyway: leave it out`,
      );
    }
  }
  let structural: SchemaDraft;
  try {
    structural = structuralSchema(schema);
  } catch (error) {
    if (error instanceof ControllerError) throw new ControllerError(error.code, `${kind}: ${error.message}`);
    throw error;
  }
  const required = structural.required?.filter(name => name !== 'status') ?? [];
  const { required: _, ...rest } = structural;
  return {
    ...rest,
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      ...structural.properties,
    },
    ...(required.length > 0 && { required }),
    ...(rules !== undefined && { 'x-kubernetes-validations': [...(rest['x-kubernetes-validations'] ?? []), ...rules] }),
  };
}

function pathOf(parts: readonly PropertyKey[]): string {
  return parts.map(part => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('') || '.';
}
