/** Between FieldsV1 as it may arrive from a client and the canonical form that set operations need. */
import { type FieldSet, isEmpty, LEAF } from './fieldset.ts';
import { isMap } from './json-value.ts';
import {
  compareElements,
  formatElement,
  type PathElement,
  PathElementError,
  parseElement,
  sortElements,
} from './path-element.ts';

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
  let changed = false;
  let size = 0;
  for (const key in node) {
    size++;
    changed ||= canonicalElement(key) !== key || decodeChild(key, node[key]) !== node[key];
  }
  // `{".": {}}` says the same as `{}`.
  if (size === 1 && '.' in node) return LEAF;
  if (!changed) return node as FieldSet;
  const out: Record<PathElement, FieldSet> = {};
  for (const key in node) {
    const element = canonicalElement(key);
    if (element !== undefined) out[element] = decodeChild(key, node[key]);
  }
  return out;
}

function decodeChild(key: string, child: unknown): FieldSet {
  if (key !== '.') return decodeNode(child);
  return isMap(child) && isEmpty(child as FieldSet) ? (child as FieldSet) : LEAF;
}

function canonicalElement(key: string): PathElement | undefined {
  if (key === '.' || key.startsWith('f:')) return key;
  const parsed = parseElement(key);
  return parsed === undefined ? undefined : formatElement(parsed);
}

/** The set with its steps in the order in which Go writes them; the same object where they are. */
export function encodeFields(set: FieldSet): FieldSet {
  if (inOrder(set)) return set;
  const elements = Object.keys(set).filter(element => element !== '.');
  const sorted = '.' in set ? ['.', ...sortElements(elements)] : sortElements(elements);
  return Object.fromEntries(sorted.map(element => [element, encodeFields(set[element]!)]));
}

function inOrder(set: FieldSet): boolean {
  if (canonical.has(set)) return true;
  let previous: PathElement | undefined;
  for (const element in set) {
    if (previous !== undefined && compareElements(previous, element) > 0) return false;
    if (!inOrder(set[element]!)) return false;
    previous = element;
  }
  return true;
}
