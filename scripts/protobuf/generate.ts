/**
 * Writes the table that protobuf bodies are read with: `npx node scripts/protobuf/generate.ts [v1.37.1]`. Needs Go, whose
 * module proxy serves the sources of Kubernetes. The file it writes is committed.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  builtinKinds,
  kubernetesVersion,
  rawDefinitions,
  virtualKinds,
} from '../../packages/apiserver/src/builtins/index.ts';
import { contentsOfSpecial } from '../../packages/apiserver/src/protobuf/special-messages.ts';
import { type JsonField, type ProtoField, parseGoLists, parseGoTags, parseProto } from './proto-file.ts';

/** Bodies that are no kinds of their own. */
const ALSO_NEEDED = [
  ['authentication.k8s.io/v1', 'TokenRequest', 'io.k8s.api.authentication.v1.TokenRequest'],
  ['autoscaling/v1', 'Scale', 'io.k8s.api.autoscaling.v1.Scale'],
  ['policy/v1', 'Eviction', 'io.k8s.api.policy.v1.Eviction'],
] as const;
/** Has the version of whatever it deletes. */
const DELETE_OPTIONS = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions';

/** Where the sources of a package are. */
const MODULES = [
  ['io.k8s.apimachinery.pkg.', 'k8s.io/apimachinery', 'pkg'],
  ['io.k8s.apiextensions-apiserver.pkg.', 'k8s.io/apiextensions-apiserver', 'pkg'],
  ['io.k8s.kube-aggregator.pkg.', 'k8s.io/kube-aggregator', 'pkg'],
  ['io.k8s.api.', 'k8s.io/api', ''],
] as const;

const version = process.argv[2] ?? kubernetesVersion();
const libraries = version.replace(/^v1/, 'v0');
const folders = new Map<string, string>();
const packages = new Map<string, ReturnType<typeof readPackage>>();

const kinds = new Map(
  [...builtinKinds(), ...virtualKinds].map(kind => {
    const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
    return [`${apiVersion} ${kind.kind}`, definitionOf(kind)];
  }),
);
for (const [apiVersion, kind, definition] of ALSO_NEEDED) kinds.set(`${apiVersion} ${kind}`, definition);

const messages = closure([...kinds.values(), DELETE_OPTIONS]);
const target = path.resolve(import.meta.dirname, '../../packages/apiserver/src/protobuf/messages.gen.json');
const lines = [...messages]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(entry => entry.map(one => JSON.stringify(one)).join(':'));
writeFileSync(
  target,
  `{"kubernetes":${JSON.stringify(version)},"kinds":${JSON.stringify(Object.fromEntries(kinds))},"messages":{\n${lines.join(',\n')}\n}}\n`,
);
console.log(`${kinds.size} kinds, ${messages.size} messages of Kubernetes ${version}`);

function definitionOf({ group, version: wanted, kind }: { group: string; version: string; kind: string }): string {
  for (const [name, definition] of Object.entries(rawDefinitions())) {
    const [first, ...others] = definition['x-kubernetes-group-version-kind'] ?? [];
    if (others.length > 0 || first?.kind !== kind) continue;
    if (first.group === group && first.version === wanted) return name;
  }
  throw new Error(`${group}/${wanted} ${kind} has no definition: run scripts/schemas/generate.ts`);
}

/** All messages that the given ones contain, each as the lines of its table. */
function closure(start: readonly string[]): Map<string, readonly string[]> {
  const reached = new Map<string, readonly string[]>();
  const waiting = [...start];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (reached.has(name)) continue;
    const contents = contentsOfSpecial(name);
    if (contents !== undefined) {
      waiting.push(...contents.filter(one => !reached.has(one)));
      continue;
    }
    const at = name.lastIndexOf('.');
    const { proto, tags, lists } = packageOf(name.slice(0, at));
    const message = name.slice(at + 1);
    const fields = proto.messages.get(message);
    if (fields === undefined) throw new Error(`${name} is not in generated.proto`);
    reached.set(
      name,
      lists.has(message)
        ? [`list ${fields[0]!.type}`]
        : fields.map(field => line(name!, field, tags.get(message)?.get(field.number))),
    );
    waiting.push(...fields.map(field => field.type).filter(type => type.includes('.')));
  }
  return reached;
}

/**
 * `5 ports []io.k8s…ContainerPort`: number, JSON name, type. In front of the type `[]` is a list and `{}` a map, before these
 * `?` a field that is left out when it is empty; the name `.` stands for a struct whose fields are written in place of it.
 */
function line(message: string, { number, name, type, shape }: ProtoField, json: JsonField | undefined): string {
  if (json === undefined) throw new Error(`${message}.${name} has no tag in the Go sources`);
  const isStruct = shape === 'one' && type.includes('.');
  const optional = shape === 'one' && !json.pointer && (isStruct ? json.omitZero : json.omitEmpty || json.omitZero);
  const prefix = { one: '', list: '[]', map: '{}' }[shape];
  return `${number} ${json.inline ? '.' : json.name} ${optional ? '?' : ''}${prefix}${type}`;
}

function packageOf(name: string): ReturnType<typeof readPackage> {
  const known = packages.get(name) ?? readPackage(name);
  packages.set(name, known);
  return known;
}

function readPackage(name: string) {
  const [prefix, module, subfolder] = MODULES.find(([start]) => `${name}.`.startsWith(start))!;
  const folder = path.join(moduleFolder(`${module}@${libraries}`), subfolder, ...name.slice(prefix.length).split('.'));
  const file = path.join(folder, 'generated.proto');
  if (!existsSync(file)) throw new Error(`there is no ${file}`);
  const source = readdirSync(folder)
    .filter(one => one.endsWith('.go') && !one.endsWith('_test.go') && !one.includes('generated'))
    .map(one => readFileSync(path.join(folder, one), 'utf8'))
    .join('\n');
  return { proto: parseProto(readFileSync(file, 'utf8')), tags: parseGoTags(source), lists: parseGoLists(source) };
}

function moduleFolder(module: string): string {
  const known = folders.get(module);
  if (known !== undefined) return known;
  const answer = execFileSync('go', ['mod', 'download', '-json', module], { cwd: '/', encoding: 'utf8' });
  const folder = (JSON.parse(answer) as { Dir: string }).Dir;
  folders.set(module, folder);
  return folder;
}
