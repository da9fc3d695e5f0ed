/**
 * What the Go declarations know and OpenAPI does not say: whether a field is a pointer, whether it is left out when empty, and
 * the name of its type. The first two decide what of an object survives a round trip through Kubernetes, the third stands in
 * its decoding errors.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Per field `-*?int32`: `-` behind a feature gate that is off, `*` a pointer, `?` left out when empty, `!` left out when zero, then the type as Go prints it. */
export type GoFields = Readonly<Record<string, string>>;

interface Field {
  readonly name: string;
  readonly type: string;
  readonly pointer: boolean;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
  readonly inline: boolean;
  readonly isGated: boolean;
}

type Structs = ReadonlyMap<string, readonly Field[]>;

/** Where the declarations behind a prefix of definition names are: a module and a folder in it. */
const PACKAGES: readonly (readonly [prefix: string, module: string, folder: string])[] = [
  ['io.k8s.apimachinery.pkg.', 'k8s.io/apimachinery', 'pkg'],
  ['io.k8s.apiextensions-apiserver.pkg.', 'k8s.io/apiextensions-apiserver', 'pkg'],
  ['io.k8s.kube-aggregator.pkg.', 'k8s.io/kube-aggregator', 'pkg'],
  ['io.k8s.api.', 'k8s.io/api', ''],
];

/**
 * The fields of every definition that is a struct. `moduleFolder` gives where a module has been unpacked; `isOff` says which
 * feature gates are off in a Kubernetes as it comes.
 */
export function goFieldsOf(
  definitions: readonly string[],
  moduleFolder: (module: string) => string,
  isOff: (gate: string) => boolean,
): ReadonlyMap<string, GoFields> {
  const packages = new Map<string, Structs>();
  const structsOf = (folder: string): Structs => {
    const known = packages.get(folder) ?? parsePackage(folder, isOff);
    packages.set(folder, known);
    return known;
  };
  const result = new Map<string, GoFields>();
  for (const definition of definitions) {
    const [prefix, module, subfolder] = PACKAGES.find(([start]) => definition.startsWith(start))!;
    const segments = definition.slice(prefix.length).split('.');
    const struct = segments.pop()!;
    const folder = path.join(moduleFolder(module), subfolder, ...segments);
    const fields = flatten(struct, structsOf(folder));
    if (fields.length > 0) result.set(definition, encode(fields, segments.at(-1)!));
  }
  return result;
}

function parsePackage(folder: string, isOff: (gate: string) => boolean): Structs {
  const structs = new Map<string, readonly Field[]>();
  for (const file of readdirSync(folder)) {
    if (!file.endsWith('.go') || file.endsWith('_test.go') || file.includes('generated')) continue;
    const source = readFileSync(path.join(folder, file), 'utf8');
    for (const [, name, body] of source.matchAll(/^type (\w+) struct \{\n(.*?)^\}/gms)) {
      structs.set(name!, parseFields(body!, isOff));
    }
  }
  return structs;
}

function parseFields(body: string, isOff: (gate: string) => boolean): Field[] {
  const fields: Field[] = [];
  let gates: string[] = [];
  for (const line of body.split('\n')) {
    const gate = /^\s*\/\/\s*\+featureGate=(\w+)/.exec(line)?.[1];
    if (gate !== undefined) gates.push(gate);
    const match = /^\s+(?:\w+\s+)?(\S+)\s+`.*?json:"([^"]*)"/.exec(line);
    if (match === null || line.trimStart().startsWith('//')) continue;
    const [name, ...options] = match[2]!.split(',');
    if (name === '-') continue;
    fields.push({
      name: name!,
      type: match[1]!.replace(/^\*/, ''),
      pointer: match[1]!.startsWith('*'),
      omitEmpty: options.includes('omitempty'),
      omitZero: options.includes('omitzero'),
      inline: name === '' || options.includes('inline'),
      isGated: gates.some(isOff),
    });
    gates = [];
  }
  return fields;
}

/** With the fields of embedded structs in place of these. `TypeMeta` is the same everywhere and of another package. */
function flatten(struct: string, structs: Structs): Field[] {
  return (structs.get(struct) ?? []).flatMap(field => (field.inline ? flatten(field.type, structs) : [field]));
}

function encode(fields: readonly Field[], packageName: string): GoFields {
  return Object.fromEntries(
    fields.map(field => [
      field.name,
      `${field.isGated ? '-' : ''}${field.pointer ? '*' : ''}${field.omitEmpty ? '?' : ''}${field.omitZero ? '!' : ''}${printedType(field.type, packageName)}`,
    ]),
  );
}

const GO_BUILTINS = new Map([
  ...['string', 'bool', 'int32', 'int64', 'int', 'float64', 'float32', 'map'].map(name => [name, name] as const),
  ['byte', 'uint8'],
]);

/** `map[string][]Container` of package v1 → `map[string][]v1.Container`, as Go's reflection prints it. */
function printedType(type: string, packageName: string): string {
  return type.replace(/[A-Za-z_][\w.]*/g, name => {
    // An import name (`metav1.Time`, `types.UID`) is not always the name of the package; that of meta/v1 is v1.
    if (name.includes('.')) return name.replace(/^\w*v1\./, 'v1.');
    return GO_BUILTINS.get(name) ?? `${packageName}.${name}`;
  });
}

/** The feature gates of Kubernetes whose newest default is off. */
export function gatesThatAreOff(source: string): ReadonlySet<string> {
  const names = new Map(
    [...source.matchAll(/(\w+)\s+featuregate\.Feature = "(\w+)"/g)].map(found => [found[1]!, found[2]!]),
  );
  const off = new Set<string>();
  for (const [, constant, body] of source.matchAll(/^\t(?:\w+\.)?(\w+): \{\n(.*?)^\t\},/gms)) {
    const defaults = [...body!.matchAll(/Default: (true|false)/g)].map(found => found[1]);
    if (defaults.at(-1) === 'false') off.add(names.get(constant!) ?? constant!);
  }
  return off;
}
