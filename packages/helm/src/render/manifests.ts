/** Splits what templates wrote into documents, takes the hooks out, and sorts the rest for installation. */

import { GoMap, parseYaml, type Value } from '@capstan/gotemplate';
import { HelmError } from '../errors.ts';
import type { HelmVersion } from '../version.ts';
import { HeadCache } from './head-cache.ts';
import { compareForInstall } from './kinds.ts';
import { type Hook, type HookEvent, hookEvents, type Manifest } from './rendered.ts';

/** Go's `unicode.IsSpace`. */
const space = '[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const leading = new RegExp(`^${space}+`);
const surrounding = new RegExp(`^${space}+|${space}+$`, 'g');
const nothingButSpace = new RegExp(`^${space}*$`);

/** The documents of a text. `---apiVersion: v1` begins one too: templates that trim too much have always worked. */
export function splitManifests(text: string, helm: HelmVersion): string[] {
  if (helm === 4) {
    return text
      .replace(leading, '')
      .split(/(?:^|(?<=\n))---[ \t]*/)
      .filter(document => !nothingButSpace.test(document))
      .map(document => document.replace(leading, ''));
  }
  return splitTrimming(text.replace(surrounding, '')).map(document => document.replace(surrounding, ''));
}

/**
 * Helm 3 splits at `---` and takes the white space around it away, line breaks included: of two separators with nothing between them
 * the second belongs to the document. Written out because the expression for it takes quadratic time.
 */
function splitTrimming(text: string): string[] {
  const documents: string[] = [];
  let from = 0;
  let search = 0;
  for (;;) {
    const at = from === 0 && search === 0 && text.startsWith('---') ? 0 : text.indexOf('\n---', search);
    if (at < 0) break;
    documents.push(text.slice(from, at));
    from = at + (text[at] === '\n' ? 4 : 3);
    while ('\t\n\f\r '.includes(text[from] ?? 'x')) from++;
    search = from;
  }
  documents.push(text.slice(from));
  return documents.filter(document => document !== '');
}

interface Head {
  readonly kind: string;
  readonly name: string;
  readonly annotations: ReadonlyMap<string, string>;
}

/** Some ten large charts. */
const heads = new HeadCache<Head>(32 * 1024 * 1024);

export interface Sorted {
  readonly hooks: Hook[];
  readonly manifests: Manifest[];
}

/** Hooks and manifests from the rendered files, each in the order of installation. */
export function sortManifests(
  files: ReadonlyMap<string, string>,
  helm: HelmVersion,
  inform: (message: string) => void,
): Sorted {
  const hooks: Hook[] = [];
  const manifests: Manifest[] = [];
  for (const path of [...files.keys()].sort(byBytes)) {
    if (path.slice(path.lastIndexOf('/') + 1).startsWith('_')) continue;
    for (const content of splitManifests(files.get(path)!, helm)) {
      const head = heads.get(content, () => readHead(content, path, helm));
      const events = head.annotations.get('helm.sh/hook');
      if (events === undefined) manifests.push({ path, content, kind: head.kind, name: head.name });
      else {
        const hook = readHook(content, path, head, events);
        if (hook) hooks.push(hook);
        else inform(`info: skipping unknown hook: ${JSON.stringify(events)}`);
      }
    }
  }
  const byKind = (left: { kind: string }, right: { kind: string }) => compareForInstall(left.kind, right.kind, helm);
  return { hooks: hooks.sort(byKind), manifests: manifests.sort(byKind) };
}

function byBytes(left: string, right: string): number {
  return left === right ? 0 : Buffer.compare(Buffer.from(left), Buffer.from(right));
}

const metadataField =
  'Go struct field SimpleHead.metadata of type struct { Name string "json:\\"name\\""; Annotations map[string]string "json:\\"annotations\\"" }';

function readHead(content: string, path: string, helm: HelmVersion): Head {
  try {
    const root = parseYaml(content);
    if (root === null) return { kind: '', name: '', annotations: new Map() };
    if (!(root instanceof GoMap))
      throw mismatch(root, `Go value of type ${helm === 3 ? 'releaseutil' : 'util'}.SimpleHead`);
    text(root, 'apiVersion', 'SimpleHead.apiVersion');
    const kind = text(root, 'kind', 'SimpleHead.kind');
    const metadata = root.get('metadata') ?? null;
    if (metadata === null) return { kind, name: '', annotations: new Map() };
    if (!(metadata instanceof GoMap)) throw mismatch(metadata, metadataField);
    return { kind, name: text(metadata, 'name', '.metadata.name'), annotations: readAnnotations(metadata) };
  } catch (error) {
    throw new HelmError('RenderFailed', `YAML parse error on ${path}: ${(error as Error).message}`, { cause: error });
  }
}

function readAnnotations(metadata: GoMap): Map<string, string> {
  const annotations = metadata.get('annotations') ?? null;
  if (annotations === null) return new Map();
  const target = 'Go struct field .metadata.annotations of type map[string]string';
  if (!(annotations instanceof GoMap)) throw mismatch(annotations, target);
  return new Map(annotations.keys().map(key => [key, text(annotations, key, '.metadata.annotations')]));
}

/** Numbers and booleans become text where text is wanted. */
function text(map: GoMap, key: string, field: string): string {
  const value = map.get(key) ?? '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw mismatch(value, `Go struct field ${field} of type string`);
}

function mismatch(value: Value, target: string): Error {
  const kind = value instanceof GoMap ? 'object' : typeof value === 'object' ? 'array' : typeof value;
  const word = kind === 'boolean' ? 'bool' : kind;
  return new Error(`error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${word} into ${target}`);
}

const words = (list: string) => list.split(',').map(word => word.replace(surrounding, '').toLowerCase());

/** Nothing where one of the events is unknown: Helm drops such a document whole. */
function readHook(manifest: string, path: string, head: Head, list: string): Hook | undefined {
  const events: HookEvent[] = [];
  for (const word of words(list)) {
    const event = word === 'test-success' ? 'test' : hookEvents.find(known => known === word);
    if (!event) return undefined;
    events.push(event);
  }
  const policies = (name: string) => {
    const given = head.annotations.get(name);
    return given === undefined ? [] : words(given);
  };
  const weight = head.annotations.get('helm.sh/hook-weight') ?? '';
  return {
    name: head.name,
    kind: head.kind,
    path,
    manifest,
    events,
    weight: /^[+-]?[0-9]+$/.test(weight) && Number.isSafeInteger(Number(weight)) ? Number(weight) : 0,
    deletePolicies: policies('helm.sh/hook-delete-policy'),
    outputLogPolicies: policies('helm.sh/hook-output-log-policy'),
  };
}
