/**
 * Reads `generated.proto` and the Go declarations that it was generated from. The first says what is on the wire, the second
 * under which name a field stands in JSON and whether it is left out when it is empty.
 */

/** A field on the wire. */
export interface ProtoField {
  readonly number: number;
  readonly name: string;
  /** `string`, `int64` …, or the full name of a message, as OpenAPI writes it: `io.k8s.api.core.v1.Pod`. */
  readonly type: string;
  readonly shape: 'one' | 'list' | 'map';
}

export interface ProtoFile {
  /** As OpenAPI writes it: `io.k8s.api.core.v1`. */
  readonly package: string;
  readonly messages: ReadonlyMap<string, readonly ProtoField[]>;
}

const SCALARS: ReadonlySet<string> = new Set(['string', 'bool', 'int32', 'int64', 'double', 'bytes']);

export function parseProto(source: string): ProtoFile {
  const protoPackage = /^package (\S+);/m.exec(source)![1]!;
  const messages = new Map<string, readonly ProtoField[]>();
  for (const [, name, body] of source.matchAll(/^message (\w+) \{\n(.*?)^\}/gms)) {
    messages.set(
      name!,
      [...body!.matchAll(FIELD)].map(found => fieldOf(found, protoPackage)),
    );
  }
  return { package: openApiName(protoPackage), messages };
}

const FIELD = /^ {2}(?:(optional|repeated|required) (\S+)|map<string, (\S+)>) (\w+) = (\d+)(?: \[.*\])?;/gm;

function fieldOf([, label, single, inMap, name, number]: RegExpExecArray, protoPackage: string): ProtoField {
  const type = (single ?? inMap)!;
  return {
    number: Number(number),
    name: name!,
    type: SCALARS.has(type) ? type : messageName(type, protoPackage),
    shape: label === 'repeated' ? 'list' : label === undefined ? 'map' : 'one',
  };
}

function messageName(type: string, protoPackage: string): string {
  return openApiName(type.startsWith('.') ? type.slice(1) : type.includes('.') ? type : `${protoPackage}.${type}`);
}

/** `k8s.io.apiextensions_apiserver.pkg` → `io.k8s.apiextensions-apiserver.pkg`. */
const openApiName = (name: string): string => name.replace(/^k8s\.io\./, 'io.k8s.').replaceAll('_', '-');

/** How Go writes a field as JSON. */
export interface JsonField {
  readonly name: string;
  readonly inline: boolean;
  readonly pointer: boolean;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
}

/** By struct, then by the number of the field. */
export function parseGoTags(source: string): ReadonlyMap<string, ReadonlyMap<number, JsonField>> {
  const structs = new Map<string, ReadonlyMap<number, JsonField>>();
  for (const [, struct, body] of source.matchAll(/^type (\w+) struct \{\n(.*?)^\}/gms)) {
    structs.set(struct!, new Map(body!.split('\n').flatMap(parseTag)));
  }
  return structs;
}

function parseTag(line: string): [number, JsonField][] {
  const type = /^\s+(?:\w+\s+)?(\S+)\s+`/.exec(line)?.[1];
  const json = /json:"([^"]*)"/.exec(line)?.[1]?.split(',');
  const number = /protobuf:"\w+,(\d+),/.exec(line)?.[1];
  if (type === undefined || json === undefined || number === undefined) return [];
  const field: JsonField = {
    name: json[0]!,
    inline: json[0] === '',
    pointer: type.startsWith('*'),
    omitEmpty: json.includes('omitempty'),
    omitZero: json.includes('omitzero'),
  };
  return [[Number(number), field]];
}

/** Types like `type ExtraValue []string`, which are messages on the wire and lists in JSON. */
export function parseGoLists(source: string): ReadonlySet<string> {
  return new Set([...source.matchAll(/^type (\w+) \[\]\w+$/gm)].map(found => found[1]!));
}
