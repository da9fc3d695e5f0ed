/** OpenAPI 2.0 ("Swagger") of everything that is served, in the notation of Kubernetes. */
import type { Json } from '@capstan/kube';
import { kubernetesVersion } from '../builtins/index.ts';
import type { ApiResource } from '../discovery/api-resource.ts';
import { mapInner, type PublishedSchema } from './definition.ts';
import { definitionsOf, REASONS } from './document-v3.ts';
import { type Operation, operationsOf } from './operation.ts';
import { serverFacts } from './server-facts.ts';

const REFERENCE = '#/definitions/';

export function documentV2(resources: readonly ApiResource[]): Json {
  const operations = resources.flatMap(operationsOf);
  const used = [...new Set(['pretty', ...operations.flatMap(operation => operation.parameters)])].sort();
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: kubernetesVersion().replace(/^v(\d+\.\d+).*/, '$1') },
    paths: pathsOf(operations),
    definitions: Object.fromEntries(
      [...definitionsOf(resources, operations)].map(([name, schema]) => [name, definitionV2(name, schema)]),
    ),
    parameters: Object.fromEntries(used.map(name => [name, queryParameter(name)])),
    securityDefinitions: {
      BearerToken: { description: 'Bearer Token authentication', type: 'apiKey', name: 'authorization', in: 'header' },
    },
    security: [{ BearerToken: [] }],
  };
}

/** Version 2 has no alternatives; these are what version 3 gives two types. */
const OTHER_TYPES: Readonly<Record<string, PublishedSchema>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { type: 'string' },
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { type: 'string', format: 'int-or-string' },
};

/** A kind that may hold anything says no more than that: kubectl would refuse what is not named. */
export function definitionV2(name: string, schema: PublishedSchema): PublishedSchema {
  const { description, 'x-kubernetes-preserve-unknown-fields': isOpen } = schema;
  const other = OTHER_TYPES[name];
  if (other) return { ...(description !== undefined && { description }), ...other };
  const kinds = schema['x-kubernetes-group-version-kind'];
  if (isOpen && kinds !== undefined) return { type: 'object', 'x-kubernetes-group-version-kind': kinds };
  return inVersion2(schema);
}

/**
 * What version 2 does not know is left out, and so is what kubectl stumbles over: a value that may be null or hold anything has
 * no type at all.
 */
function inVersion2(schema: PublishedSchema): PublishedSchema {
  const { default: _default, nullable, allOf, anyOf, oneOf, not, ...kept } = schema;
  const result: Record<string, Json> = kept;
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (nullable || isOpen) {
    delete result['items'];
    delete result['properties'];
  }
  if (isOpen) withoutRequired(result, ['kind', 'apiVersion']);
  const isUntyped =
    (isOpen && result['type'] === 'object') || (result['type'] === 'array' && result['items'] === undefined);
  if (nullable || isUntyped) delete result['type'];
  const properties = Object.entries((result['properties'] ?? {}) as Record<string, PublishedSchema>);
  withoutRequired(
    result,
    properties.filter(([, property]) => property['nullable']).map(([name]) => name),
  );
  const reference = result['$ref'];
  const inner = mapInner(result, inVersion2);
  return typeof reference === 'string' ? { ...inner, $ref: REFERENCE + reference } : inner;
}

function withoutRequired(schema: Record<string, Json>, names: readonly string[]): void {
  if (!Array.isArray(schema['required'])) return;
  const left = schema['required'].filter(name => !names.includes(name as string));
  if (left.length > 0) schema['required'] = left;
  else delete schema['required'];
}

function pathsOf(operations: readonly Operation[]): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of operations) {
    const item = (paths[operation.path] ??= { parameters: pathParameters(operation) });
    item[operation.method] = operationOf(operation);
  }
  return paths;
}

function pathParameters({ path, groupVersionKind }: Operation): Json {
  const inPath = (name: string, description: string): Json[] =>
    path.includes(`{${name}}`)
      ? [{ uniqueItems: true, type: 'string', description, name, in: 'path', required: true }]
      : [];
  return [
    ...inPath('name', `name of the ${groupVersionKind.kind}`),
    ...inPath('namespace', 'object name and auth scope, such as for teams and projects'),
    parameterReference('pretty'),
  ];
}

/** kubectl looks for these in the operation itself, and does not follow references. */
const IN_PLACE: ReadonlySet<string> = new Set(['dryRun', 'fieldValidation']);

const parameterReference = (name: string): Json =>
  IN_PLACE.has(name) ? queryParameter(name) : { $ref: `#/parameters/${name}` };

function queryParameter(name: string): Json {
  const { type, description } = serverFacts().parameters[name]!;
  return { uniqueItems: true, type, description, name, in: 'query' };
}

function operationOf(operation: Operation): Json {
  const { tag, description, id, parameters, body, answers, produces, action, groupVersionKind } = operation;
  return {
    description,
    consumes: [...(body?.types ?? ['*/*'])],
    produces: [...produces],
    schemes: ['https'],
    tags: [tag],
    operationId: id,
    parameters: [...(body ? [bodyParameter(body)] : []), ...parameters.map(parameterReference)],
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([code, definition]) => [
          code,
          { description: REASONS[code]!, schema: { $ref: REFERENCE + definition } },
        ]),
      ),
      401: { description: 'Unauthorized' },
    },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': groupVersionKind,
  };
}

function bodyParameter({ definition, required }: NonNullable<Operation['body']>): Json {
  return { name: 'body', in: 'body', ...(required && { required }), schema: { $ref: REFERENCE + definition } };
}
