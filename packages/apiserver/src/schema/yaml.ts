/** YAML to JSON as Kubernetes does it. The grammar is the library's, the meaning of scalars and keys is ours. */
import type { Json } from '@capstan/kube';
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseAllDocuments,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { assign, isObject, type JsonObject } from './json.ts';
import { yamlScalar } from './yaml-scalar.ts';

export type DecodedYaml = { readonly value: Json; readonly problems: readonly string[] } | { readonly error: string };

/** Nodes that aliases may stand for in all, on top of those that are written out: a few lines must not become gigabytes. */
const MAX_ALIASED_NODES = 100_000;

class YamlError extends Error {}

interface Work {
  readonly document: Document;
  readonly lineOf: (offset: number) => number;
  readonly problems: string[];
  readonly maxDepth: number;
  /** Above zero while an alias is being written out. */
  aliases: number;
  aliased: number;
}

/** The first document; the rest of a stream is not looked at. */
export function decodeYaml(text: string, maxDepth: number): DecodedYaml {
  try {
    const document = firstDocument(text);
    if (document === undefined) return { value: null, problems: [] };
    const [error] = document.errors;
    if (error !== undefined) throw new YamlError(firstLine(error.message));
    const problems: string[] = [];
    const work: Work = { document, lineOf: lineCounter(text), problems, maxDepth, aliases: 0, aliased: 0 };
    const value = convert(document.contents, work, 0);
    const summary =
      problems.length === 0 ? [] : [`yaml: unmarshal errors:\n${problems.map(line => `  ${line}`).join('\n')}`];
    return { value, problems: summary };
  } catch (error) {
    if (error instanceof YamlError) return { error: `error converting YAML to JSON: yaml: ${error.message}` };
    if (error instanceof RangeError) return { error: 'error converting YAML to JSON: yaml: exceeded max depth' };
    throw error;
  }
}

/** The library catches the end of its stack and reports it as a fault of the document. */
function firstLine(message: string): string {
  return message.startsWith('Maximum call stack') ? 'exceeded max depth' : message.split('\n', 1)[0]!;
}

function firstDocument(text: string): Document | undefined {
  const documents = parseAllDocuments(text, { schema: 'failsafe', uniqueKeys: false, logLevel: 'silent' });
  return Array.isArray(documents) ? (documents[0] as Document | undefined) : undefined;
}

function convert(node: unknown, work: Work, depth: number): Json {
  if (depth > work.maxDepth) throw new YamlError('exceeded max depth');
  if (work.aliases > 0 && ++work.aliased > MAX_ALIASED_NODES)
    throw new YamlError('document contains excessive aliasing');
  if (node === null || node === undefined) return null;
  if (isAlias(node)) return follow(node, work, depth);
  if (isMap(node)) return convertMap(node, work, depth);
  if (isSeq(node)) return node.items.map(item => convert(item, work, depth + 1));
  if (isScalar(node)) return convertScalar(node);
  throw new YamlError('unexpected node');
}

function follow(alias: Alias, work: Work, depth: number): Json {
  const target = alias.resolve(work.document);
  if (target === undefined) throw new YamlError(`unknown anchor '${alias.source}' referenced`);
  work.aliases++;
  const value = convert(target, work, depth + 1);
  work.aliases--;
  return value;
}

function convertScalar(node: Scalar): Json {
  const text = typeof node.value === 'string' ? node.value : '';
  const tag = node.tag ?? '';
  if (tag.endsWith(':str') || tag === '!') return text;
  if (node.type !== undefined && node.type !== 'PLAIN' && tag === '') return text;
  const value = yamlScalar(text);
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new YamlError(`json: unsupported value: ${text}`);
  }
  return value;
}

function convertMap(map: YAMLMap, work: Work, depth: number): Json {
  const object: JsonObject = {};
  const merged: JsonObject = {};
  for (const { key, value } of map.items) {
    if (isScalar(key) && key.value === '<<' && (key.type === 'PLAIN' || key.type === undefined)) {
      mergeKeys(merged, convert(value, work, depth + 1));
      continue;
    }
    const name = keyText(key, work, depth);
    if (Object.hasOwn(object, name)) {
      const offset = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
      work.problems.push(`line ${work.lineOf(offset)}: key "${name}" already set in map`);
    }
    assign(object, name, convert(value, work, depth + 1));
  }
  for (const name of Object.keys(merged)) if (!Object.hasOwn(object, name)) assign(object, name, merged[name]!);
  return object;
}

/** `<<`: keys of one mapping or of several, the earlier ones first. */
function mergeKeys(into: JsonObject, value: Json): void {
  for (const source of Array.isArray(value) ? value : [value]) {
    if (!isObject(source)) throw new YamlError('map merge requires map or sequence of maps as the value');
    for (const name of Object.keys(source)) if (!Object.hasOwn(into, name)) assign(into, name, source[name]!);
  }
}

function keyText(key: unknown, work: Work, depth: number): string {
  const value = convert(key, work, depth + 1);
  if (value === null) throw new YamlError('unsupported map key of type: %!s(<nil>)');
  if (typeof value === 'object') throw new YamlError('invalid map key');
  return String(value);
}

function lineCounter(text: string): (offset: number) => number {
  return offset => {
    let line = 1;
    for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++;
    return line;
  };
}
