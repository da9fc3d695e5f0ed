import { readFileSync } from 'node:fs';
import type { Json } from '@capstan/kube';
import { describe, expect, test } from 'vitest';
import { builtinKinds } from '../builtins/index.ts';
import { kindDefinitions } from '../crd/index.ts';
import { apiResources } from '../discovery/api-resource.ts';
import { fieldsOf } from '../protobuf/wire.ts';
import { definitionV2, documentV2 } from './document-v2.ts';
import { encodeSwagger } from './gnostic.ts';

/** Answers of Kubernetes 1.37. */
const recorded = (name: string) =>
  JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8'));
const expected = { ...recorded('apps-v1').v2, ...recorded('widget').v2 };

const kinds = [...builtinKinds(), ...kindDefinitions(recorded('widget').crd)];
const ours = JSON.parse(JSON.stringify(documentV2(apiResources(kinds))));

describe('the document of version 2', () => {
  test.each(Object.keys(expected))('describes %s as Kubernetes does', name => {
    expect(ours.definitions[name]).toEqual(expected[name]);
  });

  test('has the parameters that kubectl looks for in the operation itself', () => {
    const { patch } = ours.paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}'];
    const named = patch.parameters.map((one: { name?: string }) => one.name).filter(Boolean);
    expect(named).toEqual(['body', 'dryRun', 'fieldValidation']);
  });

  test('refers to nothing that it does not hold', () => {
    const references = [...JSON.stringify(ours).matchAll(/"#\/(definitions|parameters)\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(1000);
    expect(references.filter(([, where, name]) => !(name! in ours[where!]))).toEqual([]);
  });

  test('of a kind that may hold anything says no more than what it is', () => {
    const kind = { group: 'example.com', version: 'v1', kind: 'Anything' };
    const open = {
      type: 'object',
      properties: { spec: { type: 'object' } },
      'x-kubernetes-preserve-unknown-fields': true,
      'x-kubernetes-group-version-kind': [kind],
    };
    expect(definitionV2('com.example.v1.Anything', open)).toEqual({
      type: 'object',
      'x-kubernetes-group-version-kind': [kind],
    });
  });
});

/** A message as what its fields hold, by number. */
function read(bytes: Buffer): Map<number, Buffer[]> {
  const found = new Map<number, Buffer[]>();
  for (const { number, value } of fieldsOf(bytes, 'a message')) {
    if (value.wire !== 'bytes') continue;
    found.set(number, [...(found.get(number) ?? []), value.bytes]);
  }
  return found;
}

const text = (message: Map<number, Buffer[]>, number: number): string => message.get(number)![0]!.toString();

describe('the same as protobuf', () => {
  const document = read(encodeSwagger(ours as Json));
  const [DEFINITIONS, PATHS] = [9, 8];
  const namedIn = (section: number, list: number): Map<string, Map<number, Buffer[]>> =>
    new Map(
      read(document.get(section)![0]!)
        .get(list)!
        .map(read)
        .map(pair => [text(pair, 1), read(pair.get(2)![0]!)]),
    );

  test('has every definition and path', () => {
    expect([...namedIn(DEFINITIONS, 1).keys()]).toEqual(Object.keys(ours.definitions));
    expect([...namedIn(PATHS, 2).keys()]).toEqual(Object.keys(ours.paths));
  });

  test('says of a definition what kubectl validates by', () => {
    const spec = namedIn(DEFINITIONS, 1).get('io.k8s.api.apps.v1.DeploymentSpec')!;
    const [DESCRIPTION, REQUIRED, TYPE, PROPERTIES] = [4, 19, 22, 25];
    expect(text(spec, DESCRIPTION)).toContain('DeploymentSpec is the specification');
    expect(spec.get(REQUIRED)!.map(String)).toEqual(['selector', 'template']);
    expect(text(read(spec.get(TYPE)![0]!), 1)).toBe('object');
    const properties = read(spec.get(PROPERTIES)![0]!)
      .get(1)!
      .map(read)
      .map(pair => text(pair, 1));
    expect(properties).toEqual(Object.keys(expected['io.k8s.api.apps.v1.DeploymentSpec'].properties));
  });

  test('marks operations with the kind they are about', () => {
    const item = namedIn(PATHS, 2).get('/apis/apps/v1/namespaces/{namespace}/deployments/{name}')!;
    const [PATCH, EXTENSIONS] = [8, 13];
    const marks = read(item.get(PATCH)![0]!).get(EXTENSIONS)!.map(read);
    const kind = marks.find(mark => text(mark, 1) === 'x-kubernetes-group-version-kind')!;
    expect(JSON.parse(text(read(kind.get(2)![0]!), 2))).toEqual({ group: 'apps', version: 'v1', kind: 'Deployment' });
  });
});
