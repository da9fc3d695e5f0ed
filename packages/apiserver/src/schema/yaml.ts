/** YAML to JSON as Kubernetes does it. The grammar is the library's, the meaning of scalars and keys is ours. */
import { deepClone, type Json } from '@capstan/kube';
import {
  Composer,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Parser,
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
  readonly lineOf: (offset: number) => number;
  readonly problems: string[];
  readonly maxDepth: number;
  /** What each anchor stands for. A node is known by its anchor once it is complete: none can contain itself. */
  readonly anchors: Map<string, Json>;
  aliased: number;
}

/** The first document; the rest of a stream is not looked at. */
export function decodeYaml(text: string, maxDepth: number): DecodedYaml {
  const lineOf = lineCounter(text);
  try {
    const document = firstDocument(text);
    if (document === undefined) return { value: null, problems: [] };
    const [error] = document.errors;
    if (error !== undefined) throw new YamlError(explanation(error.message, lineOf(error.pos[0])));
    const problems: string[] = [];
    const value = convert(document.contents, { lineOf, problems, maxDepth, anchors: new Map(), aliased: 0 }, 0);
    const summary = `yaml: unmarshal errors:\n${problems.map(line => `  ${line}`).join('\n')}`;
    return { value, problems: problems.length === 0 ? [] : [summary] };
  } catch (error) {
    if (error instanceof YamlError) return { error: `error converting YAML to JSON: yaml: ${error.message}` };
    if (error instanceof RangeError) return { error: 'error converting YAML to JSON: yaml: exceeded max depth' };
    throw error;
  }
}

/** The library catches the end of its stack and reports it as a fault of the document. */
function explanation(message: string, line: number): string {
  return message.startsWith('Maximum call stack') ? 'exceeded max depth' : `line ${line}: ${message}`;
}

/** Errors are not made pretty: with many of them on one long line, that alone takes minutes. */
function firstDocument(text: string): Document | undefined {
  const options = { schema: 'failsafe', uniqueKeys: false, logLevel: 'silent', prettyErrors: false } as const;
  const composer = new Composer(options);
  for (const document of composer.compose(new Parser().parse(text))) return document as unknown as Document;
  return undefined;
}

function convert(node: unknown, work: Work, depth: number): Json {
  if (depth > work.maxDepth) throw new YamlError('exceeded max depth');
  if (node === null || node === undefined) return null;
  if (isAlias(node)) return standFor(node.source, work);
  const value = convertContent(node, work, depth);
  if (isNode(node) && node.anchor) work.anchors.set(node.anchor, value);
  return value;
}

function convertContent(node: unknown, work: Work, depth: number): Json {
  if (isMap(node)) return convertMap(node, work, depth);
  if (isSeq(node)) return node.items.map(item => convert(item, work, depth + 1));
  if (isScalar(node)) return convertScalar(node);
  throw new YamlError('unexpected node');
}

function standFor(anchor: string, work: Work): Json {
  const value = work.anchors.get(anchor);
  if (value === undefined) throw new YamlError(`unknown anchor '${anchor}' referenced`);
  work.aliased += nodesOf(value);
  if (work.aliased > MAX_ALIASED_NODES) throw new YamlError('document contains excessive aliasing');
  return deepClone(value);
}

function nodesOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const child of Array.isArray(value) ? value : Object.values(value)) count += nodesOf(child);
  return count;
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

/** Offsets to lines, counted from 1. */
function lineCounter(text: string): (offset: number) => number {
  let starts: number[] | undefined;
  return offset => {
    if (starts === undefined) {
      starts = [0];
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    }
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
