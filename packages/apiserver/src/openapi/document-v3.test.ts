import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { builtinKinds } from '../builtins/index.ts';
import { kindDefinitions } from '../crd/index.ts';
import { apiResources } from '../discovery/api-resource.ts';
import type { KindDefinition } from '../kind.ts';
import { documentV3 } from './document-v3.ts';

interface Document {
  readonly paths: Record<string, Record<string, PathOperation>>;
  readonly components: { readonly schemas: Record<string, unknown> };
}

interface PathOperation {
  readonly operationId: string;
  readonly description: string;
  readonly parameters?: readonly { readonly name: string }[];
  readonly 'x-kubernetes-action': string;
  readonly 'x-kubernetes-group-version-kind': unknown;
}

/** Answers of Kubernetes 1.37. */
const recorded = (name: string) =>
  JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8'));

function documentOf(kinds: Iterable<KindDefinition>, group: string, version = 'v1'): Document {
  const resources = apiResources(kinds).filter(one => one.group === group && one.version === version);
  return JSON.parse(JSON.stringify(documentV3(resources))) as Document;
}

const operations = ({ paths }: Document): string[] =>
  Object.entries(paths)
    .flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([method]) => method !== 'parameters')
        .map(([method, { operationId, description, ...rest }]) => {
          return `${method} ${path} ${operationId} ${rest['x-kubernetes-action']}: ${description}`;
        }),
    )
    .sort();

describe('the document of built-in kinds', () => {
  const apps = recorded('apps-v1');
  const ours = documentOf(builtinKinds(), 'apps');

  test('lists the operations that Kubernetes lists', () => {
    expect(operations(ours)).toEqual(apps.operations);
  });

  test.each(Object.keys(apps.schemas))('describes %s as Kubernetes does', name => {
    expect(ours.components.schemas[name]).toEqual(apps.schemas[name]);
  });

  test('marks what kubectl looks for before it asks for field validation', () => {
    const { patch } = ours.paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}']!;
    const { post } = ours.paths['/apis/apps/v1/namespaces/{namespace}/deployments']!;
    for (const operation of [patch!, post!]) {
      const kind = { group: 'apps', version: 'v1', kind: 'Deployment' };
      expect(operation['x-kubernetes-group-version-kind']).toEqual(kind);
      expect(operation.parameters!.map(one => one.name)).toEqual(
        expect.arrayContaining(['dryRun', 'fieldManager', 'fieldValidation']),
      );
    }
    expect(patch!.parameters!.map(one => one.name)).toContain('force');
  });

  test('has the kinds that are only asked, and objects below objects', () => {
    const paths = {
      ...documentOf(builtinKinds(), '').paths,
      ...documentOf(builtinKinds(), 'authorization.k8s.io').paths,
    };
    expect(Object.keys(paths['/apis/authorization.k8s.io/v1/subjectaccessreviews']!)).toContain('post');
    expect(paths['/api/v1/namespaces/{namespace}/pods/{name}/eviction']!['post']).toMatchObject({
      'x-kubernetes-group-version-kind': { group: 'policy', version: 'v1', kind: 'Eviction' },
    });
  });

  test('refers to nothing that it does not hold', () => {
    for (const { group, version } of apiResources(builtinKinds())) {
      const { components, ...rest } = documentOf(builtinKinds(), group, version);
      const text = JSON.stringify({ components, rest });
      const names = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(found => found[1]!);
      expect(names.filter(name => !(name in components.schemas))).toEqual([]);
    }
  });
});

describe('the document of custom resources', () => {
  const widget = recorded('widget');
  const ours = documentOf(kindDefinitions(widget.crd), 'stable.example.com');

  test('lists the operations that Kubernetes lists', () => {
    expect(operations(ours)).toEqual(widget.operations);
  });

  test.each(Object.keys(widget.v3))('describes %s as Kubernetes does', name => {
    expect(ours.components.schemas[name]).toEqual(widget.v3[name]);
  });
});
