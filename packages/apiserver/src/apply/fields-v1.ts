/** Between FieldsV1 as it may arrive from a client and the canonical form that set operations need. */
import { type FieldSet, LEAF } from './fieldset.ts';
import { isMap } from './json-value.ts';
import { formatElement, type PathElement, PathElementError, parseElement, sortElements } from './path-element.ts';

/** Frozen trees that were found canonical; a frozen object stays what it was. */
const canonical = new WeakSet<object>();

/**
 * Reads a `fieldsV1`: brings steps into their canonical form and drops kinds of steps that are not known. Gives the very same
 * object back when there was nothing to do. Throws PathElementError.
 */
export function decodeFields(fields: unknown): FieldSet {
  if (fields === undefined || fields === null) return LEAF;
  if (!isMap(fields)) throw new PathElementError('expect { or n');
  if (canonical.has(fields)) return fields as FieldSet;
  // The root stands for the whole object, which nobody owns.
  const { '.': self, ...rest } = '.' in fields ? fields : { '.': undefined };
  const decoded = encodeFields(decodeNode(self === undefined ? fields : rest));
  if (decoded === fields && Object.isFrozen(fields)) canonical.add(fields);
  return decoded;
}

function decodeNode(node: unknown): FieldSet {
  if (node === null) return LEAF;
  if (!isMap(node)) throw new PathElementError('expect { or n');
  let out: Record<PathElement, FieldSet> | undefined;
  let size = 0;
  for (const key in node) {
    const element = canonicalElement(key);
    const child = key === '.' ? LEAF : element === undefined ? undefined : decodeNode(node[key]);
    if (element === key && child === node[key]) {
      if (out !== undefined) out[key] = child as FieldSet;
      size++;
      continue;
    }
    out ??= Object.fromEntries(Object.entries(node).slice(0, size)) as Record<PathElement, FieldSet>;
    if (element !== undefined && child !== undefined) out[element] = child;
    size++;
  }
  const decoded = out ?? (node as FieldSet);
  // `{".": {}}` says the same as `{}`.
  return '.' in decoded && Object.keys(decoded).length === 1 ? LEAF : decoded;
}

function canonicalElement(key: string): PathElement | undefined {
  if (key === '.' || key.startsWith('f:')) return key;
  const parsed = parseElement(key);
  return parsed === undefined ? undefined : formatElement(parsed);
}

/** The set with its steps in the order in which Go writes them; the same object where they are. */
export function encodeFields(set: FieldSet): FieldSet {
  if (canonical.has(set)) return set;
  const elements = Object.keys(set);
  let changed = false;
  const children: FieldSet[] = elements.map(element => {
    const child = set[element]!;
    const encoded = child === LEAF ? child : encodeFields(child);
    if (encoded !== child) changed = true;
    return encoded;
  });
  const self = elements.includes('.');
  const sorted = elements.length < 2 ? elements : sortElements(self ? elements.filter(e => e !== '.') : elements);
  if (self && elements.length > 1) sorted.unshift('.');
  if (!changed && sorted.every((element, index) => element === elements[index])) return set;
  const byElement = new Map(elements.map((element, index) => [element, children[index]!]));
  return Object.fromEntries(sorted.map(element => [element, byElement.get(element)!]));
}
