/** OpenAPI 3.0 of one group and version, in the notation of Kubernetes. */
import type { Json } from '@capstan/kube';
import { kubernetesVersion } from '../builtins/index.ts';
import type { ApiResource } from '../discovery/api-resource.ts';
import { builtinDefinition } from './builtin-definitions.ts';
import { customDefinitions } from './custom-definitions.ts';
import { mapInner, type PublishedSchema, referencesOf } from './definition.ts';
import { type Operation, operationsOf } from './operation.ts';
import { serverFacts } from './server-facts.ts';

const REFERENCE = '#/components/schemas/';

export function documentV3(resources: readonly ApiResource[]): Json {
  const operations = resources.flatMap(operationsOf);
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: kubernetesVersion().replace(/^v(\d+\.\d+).*/, '$1') },
    paths: pathsOf(operations),
    components: { schemas: schemasOf(resources, operations), securitySchemes: { BearerToken: BEARER_TOKEN } },
  };
}

const BEARER_TOKEN = {
  type: 'apiKey',
  description: 'Bearer Token authentication',
  name: 'authorization',
  in: 'header',
};

/** The definitions that the operations speak of, and those that these are made of. */
export function definitionsOf(
  resources: readonly ApiResource[],
  operations: readonly Operation[],
): ReadonlyMap<string, PublishedSchema> {
  const custom: Record<string, PublishedSchema> = {};
  for (const { definition } of resources) if (definition?.custom) Object.assign(custom, customDefinitions(definition));
  const found = new Map<string, PublishedSchema>();
  const waiting = operations.flatMap(({ body, answers }) => [
    ...(body ? [body.definition] : []),
    ...Object.values(answers),
  ]);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    const definition = custom[name] ?? builtinDefinition(name);
    found.set(name, definition);
    waiting.push(...referencesOf(definition));
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function schemasOf(resources: readonly ApiResource[], operations: readonly Operation[]): Json {
  return Object.fromEntries(
    [...definitionsOf(resources, operations)].map(([name, definition]) => [name, inVersion3(definition)]),
  );
}

/** Nothing may stand beside a reference in version 3, so it is wrapped where a field has more to say. */
function inVersion3(schema: PublishedSchema): PublishedSchema {
  const { $ref, ...rest } = mapInner(schema, inVersion3);
  if (typeof $ref !== 'string') return rest;
  const reference = { $ref: REFERENCE + $ref };
  return Object.keys(rest).length === 0 ? reference : { ...rest, allOf: [reference] };
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
  const text = { type: 'string', uniqueItems: true };
  const inPath = (name: string, description: string): Json[] =>
    path.includes(`{${name}}`) ? [{ name, in: 'path', description, required: true, schema: text }] : [];
  return [
    ...inPath('name', `name of the ${groupVersionKind.kind}`),
    ...inPath('namespace', 'object name and auth scope, such as for teams and projects'),
    queryParameter('pretty'),
  ];
}

function queryParameter(name: string): Json {
  const { type, description } = serverFacts().parameters[name]!;
  return { name, in: 'query', description, schema: { type, uniqueItems: true } };
}

function operationOf(operation: Operation): Json {
  const { tag, description, id, parameters, body, answers, produces, action, groupVersionKind } = operation;
  return {
    tags: [tag],
    description,
    operationId: id,
    ...(parameters.length > 0 && { parameters: parameters.map(queryParameter) }),
    ...(body && {
      requestBody: { content: contentOf(body.types, body.definition), ...(body.required && { required: true }) },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([code, definition]) => [
          code,
          { description: REASONS[code]!, content: contentOf(produces, definition) },
        ]),
      ),
      401: { description: 'Unauthorized' },
    },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': groupVersionKind,
  };
}

export const REASONS: Readonly<Record<string, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted' };

const contentOf = (types: readonly string[], definition: string): Json =>
  Object.fromEntries(types.map(type => [type, { schema: { $ref: REFERENCE + definition } }]));
