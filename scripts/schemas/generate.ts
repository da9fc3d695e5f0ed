/**
 * Writes the shapes and descriptions of the built-in kinds, taken from the OpenAPI v3 documents that Kubernetes publishes with
 * its sources: `npx node scripts/schemas/generate.ts [v1.37.1]`. Needs Go, whose module proxy serves those sources. The files
 * it writes are committed: nobody but whoever moves to a new Kubernetes has to run it.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { builtinKinds } from '../../packages/apiserver/src/builtins/index.ts';
import { virtualKinds } from '../../packages/apiserver/src/builtins/virtual-kinds.ts';
import { compactDefinition, type OpenApiSchema, referencesOf } from './compact.ts';
import { gatesThatAreOff, goFieldsOf } from './go-types.ts';

const DEFAULT_VERSION = 'v1.37.1';

/** Bodies and answers that are no kinds of their own but that requests carry. */
const ALSO_NEEDED = [
  'io.k8s.api.authentication.v1.TokenRequest',
  'io.k8s.api.autoscaling.v1.Scale',
  'io.k8s.api.core.v1.Binding',
  'io.k8s.api.policy.v1.Eviction',
  'io.k8s.apimachinery.pkg.apis.meta.v1.APIGroup',
  'io.k8s.apimachinery.pkg.apis.meta.v1.APIGroupList',
  'io.k8s.apimachinery.pkg.apis.meta.v1.APIResourceList',
  'io.k8s.apimachinery.pkg.apis.meta.v1.APIVersions',
  'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions',
  'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Patch',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Status',
  'io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent',
  'io.k8s.apimachinery.pkg.version.Info',
];

const folders = new Map<string, string>();
const version = process.argv[2] ?? DEFAULT_VERSION;
const sources = moduleFolder(`k8s.io/kubernetes@${version}`);
const documents = readDocuments(path.join(sources, 'api', 'openapi-spec', 'v3'));
const names = closure(documents, roots(documents));

const target = path.resolve(import.meta.dirname, '../../packages/apiserver/src/builtins');
// The libraries of Kubernetes v1.x.y are published as v0.x.y.
const libraries = version.replace(/^v1/, 'v0');
const off = gatesThatAreOff(
  [sources, moduleFolder(`k8s.io/apiserver@${libraries}`)]
    .map(folder => readFileSync(path.join(folder, 'pkg', 'features', 'kube_features.go'), 'utf8'))
    .join('\n'),
);
const goFields = goFieldsOf(
  names,
  module => moduleFolder(`${module}@${libraries}`),
  gate => off.has(gate),
);
writeLines(path.join(target, 'schemas.gen.json'), version, name =>
  compactDefinition(name, documents.get(name)!, goFields.get(name)),
);
writeLines(path.join(target, 'descriptions.gen.json'), version, name => descriptionsOf(documents.get(name)!));
console.log(`${names.length} definitions of Kubernetes ${version}`);

function moduleFolder(module: string): string {
  const known = folders.get(module);
  if (known !== undefined) return known;
  const answer = execFileSync('go', ['mod', 'download', '-json', module], { cwd: '/', encoding: 'utf8' });
  const folder = (JSON.parse(answer) as { Dir: string }).Dir;
  folders.set(module, folder);
  return folder;
}

/** Every definition by name. The documents of the groups repeat each other's, with equal contents. */
function readDocuments(folder: string): Map<string, OpenApiSchema> {
  const all = new Map<string, OpenApiSchema>();
  for (const file of readdirSync(folder)) {
    const document = JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
    for (const [name, schema] of Object.entries(document.components?.schemas ?? {}))
      all.set(name, schema as OpenApiSchema);
  }
  return all;
}

/** The definitions of the kinds and of their lists, found by group, version and kind. */
function roots(all: Map<string, OpenApiSchema>): string[] {
  const byKind = new Map<string, string>();
  for (const [name, schema] of all) {
    const kinds = schema['x-kubernetes-group-version-kind'] ?? [];
    // Definitions that every group has (DeleteOptions, WatchEvent) name dozens of kinds; a kind's own names one.
    if (kinds.length === 1) byKind.set(`${kinds[0]!.group}/${kinds[0]!.version}/${kinds[0]!.kind}`, name);
  }
  const wanted = [
    ...builtinKinds().flatMap(kind => [
      `${kind.group}/${kind.version}/${kind.kind}`,
      `${kind.group}/${kind.version}/${kind.listKind}`,
    ]),
    ...virtualKinds.map(kind => `${kind.group}/${kind.version}/${kind.kind}`),
  ];
  return [
    ...wanted.map(key => {
      const name = byKind.get(key);
      if (name === undefined) throw new Error(`${key} is not in the OpenAPI documents`);
      return name;
    }),
    ...ALSO_NEEDED,
  ];
}

function closure(all: Map<string, OpenApiSchema>, start: readonly string[]): string[] {
  const reached = new Set<string>();
  const waiting = [...start];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (reached.has(name)) continue;
    const schema = all.get(name);
    if (schema === undefined) throw new Error(`${name} is not in the OpenAPI documents`);
    reached.add(name);
    waiting.push(...referencesOf(schema));
  }
  return [...reached].sort();
}

/** `{ '': of the definition, field: of the field }`. */
function descriptionsOf(schema: OpenApiSchema): Record<string, string> {
  const fields = Object.entries(schema.properties ?? {}).map(([field, { description }]) => [field, description ?? '']);
  return Object.fromEntries([['', schema.description ?? ''], ...fields]);
}

/** One definition a line, so that a change of versions can be read as a diff. */
function writeLines(file: string, kubernetes: string, content: (name: string) => unknown): void {
  const lines = names.map(name => `${JSON.stringify(name)}:${JSON.stringify(content(name))}`);
  writeFileSync(file, `{"kubernetes":${JSON.stringify(kubernetes)},"definitions":{\n${lines.join(',\n')}\n}}\n`);
}
