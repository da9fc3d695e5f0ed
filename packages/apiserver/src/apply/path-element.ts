/**
 * One step of a field path, in the form in which FieldsV1 writes it:
 *
 *   `f:replicas`                field of a map or struct
 *   `k:{"name":"web"}`          item of a list of maps, by its keys
 *   `v:"finalizer"`             item of a set, by its value
 *   `i:0`                       item of a list, by its index
 *
 * The string is canonical (keys sorted, numbers and strings as Go writes them), so two steps are equal when their strings are.
 */
import { compareStrings, jsonString, jsonText } from './go-text.ts';
import { compareFields, compareValues, type Field, isMap, valueText } from './json-value.ts';

export type PathElement = string;

export type ParsedElement =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'key'; readonly fields: readonly Field[] }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'index'; readonly index: number };

export const fieldElement = (name: string): PathElement => `f:${name}`;

/** Of a list item by its keys; `fields` are sorted by name. */
export function keyElement(fields: readonly Field[]): PathElement {
  let json = '';
  for (const [name, value] of fields) json += `${json === '' ? '' : ','}${jsonString(name)}:${jsonText(value)}`;
  return `k:{${json}}`;
}

export const valueElement = (value: unknown): PathElement => `v:${jsonText(value)}`;

export const indexElement = (index: number): PathElement => `i:${index}`;

/** A step that cannot be read; the message is structured-merge-diff's. */
export class PathElementError extends Error {
  override readonly name = 'PathElementError';
}

/** Reads a step; undefined for a kind of step that is not known, which readers skip so that the format can grow. */
export function parseElement(element: PathElement): ParsedElement | undefined {
  if (element.length < 2) throw new PathElementError('key must be 2 characters long:');
  if (element[1] !== ':') throw new PathElementError(`missing colon: ${element}`);
  const content = element.slice(2);
  switch (element[0]) {
    case 'f':
      return { kind: 'field', name: content };
    case 'v':
      return { kind: 'value', value: parseJson(content) };
    case 'k': {
      const fields = parseJson(content);
      if (!isMap(fields)) throw new PathElementError(`expect { or n, but found ${content[0] ?? '\0'}`);
      return { kind: 'key', fields: Object.entries(fields).sort(([a], [b]) => compareStrings(a, b)) };
    }
    case 'i':
      if (!/^[+-]?\d+$/.test(content)) {
        throw new PathElementError(`strconv.Atoi: parsing ${JSON.stringify(content)}: invalid syntax`);
      }
      return { kind: 'index', index: Number(content) };
    default:
      return undefined;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new PathElementError(`invalid JSON: ${text}`);
  }
}

/** The canonical string of a step that was read. */
export function formatElement(element: ParsedElement): PathElement {
  switch (element.kind) {
    case 'field':
      return fieldElement(element.name);
    case 'key':
      return keyElement(element.fields);
    case 'value':
      return valueElement(element.value);
    case 'index':
      return indexElement(element.index);
  }
}

/** The step as people read it in a conflict: `.spec`, `[name="web"]`, `[="x"]`, `[0]`. */
export function elementText(element: PathElement): string {
  const parsed = parseElement(element);
  switch (parsed?.kind) {
    case 'field':
      return `.${parsed.name}`;
    case 'key':
      return `[${parsed.fields.map(([name, value]) => `${name}=${valueText(value)}`).join(',')}]`;
    case 'value':
      return `[=${valueText(parsed.value)}]`;
    case 'index':
      return `[${parsed.index}]`;
    case undefined:
      return '{{invalid path element}}';
  }
}

/** Sorted as Go writes them: fields, keys, values, indexes, each in the order of what they hold. */
export function sortElements(elements: readonly PathElement[]): PathElement[] {
  return elements.toSorted(compareElements);
}

/** `.`, which stands for the node itself, comes first. */
export function compareElements(a: PathElement, b: PathElement): number {
  if (a === b) return 0;
  if (a === '.' || b === '.') return a === '.' ? -1 : 1;
  if (a.startsWith('f:') && b.startsWith('f:')) return compareStrings(a, b);
  const left = parseOnce(a);
  const right = parseOnce(b);
  return left === undefined || right === undefined ? compareStrings(a, b) : compareParsed(left, right);
}

const RANK = { field: 0, key: 1, value: 2, index: 3 };

function compareParsed(a: ParsedElement, b: ParsedElement): number {
  if (a.kind === 'field' && b.kind === 'field') return compareStrings(a.name, b.name);
  if (a.kind === 'key' && b.kind === 'key') return compareFields(a.fields, b.fields);
  if (a.kind === 'value' && b.kind === 'value') return compareValues(a.value, b.value);
  if (a.kind === 'index' && b.kind === 'index') return Math.sign(a.index - b.index);
  return RANK[a.kind] - RANK[b.kind];
}

/** The same few elements (names of containers, types of conditions) are compared over and over. */
const parsed = new Map<PathElement, ParsedElement | undefined>();
const MAXIMUM_PARSED = 10_000;
const MAXIMUM_LENGTH = 200;

function parseOnce(element: PathElement): ParsedElement | undefined {
  if (element.length > MAXIMUM_LENGTH) return parseElement(element);
  let known = parsed.get(element);
  if (known === undefined) {
    if (parsed.size >= MAXIMUM_PARSED) parsed.clear();
    parsed.set(element, (known = parseElement(element)));
  }
  return known;
}
