/**
 * What server-side apply has to know of a schema node: is the value one leaf, or a map or list whose parts have owners of their
 * own? Derived by the rules with which Kubernetes turns OpenAPI into a structured-merge-diff schema, once for each node.
 */
import type { Json } from '@capstan/kube';
import type { Schema } from '../schema/schema.ts';

export type Scalar = 'numeric' | 'string' | 'boolean' | 'untyped';

/** The forms that a value may take. A node without a type may take all three. */
export interface Atom {
  readonly scalar: Scalar | undefined;
  readonly list: ListType | undefined;
  readonly map: MapType | undefined;
}

export interface ListType {
  /** One leaf as a whole; otherwise its items have owners. */
  readonly atomic: boolean;
  /** Names of the fields that tell the items apart, sorted; none for a set, whose items are told apart by their values. */
  readonly keys: readonly string[];
  /** The same in the order of the schema, for messages. */
  readonly declaredKeys: readonly string[];
  readonly element: Atom;
  /** The default of a key field, for items that leave it out. */
  keyDefault(name: string): Json | undefined;
}

export interface MapType {
  readonly atomic: boolean;
  /** Of a field that the schema names, otherwise of any other; undefined where no others are allowed. */
  field(name: string): Atom | undefined;
  /** Whether the schema names the field: a struct's field is there by the struct's nature, a map's entry is an item. */
  declares(name: string): boolean;
  /** Names no field and says nothing of the others. */
  readonly untyped: boolean;
}

const ATOMIC_ANYTHING: Atom = {
  scalar: 'untyped',
  get list() {
    return ATOMIC_LIST;
  },
  get map() {
    return ATOMIC_MAP;
  },
};
const ATOMIC_LIST = listType(true, [], () => ATOMIC_ANYTHING);
const ATOMIC_MAP = openMap(true, () => ATOMIC_ANYTHING);

/** Of a value without a schema: maps are granular, lists are one leaf each. */
export const DEDUCED: Atom = {
  scalar: 'untyped',
  list: ATOMIC_LIST,
  get map() {
    return DEDUCED_MAP;
  },
};
const DEDUCED_MAP = openMap(false, () => DEDUCED);

interface Derived {
  plain?: Atom;
  preserving?: Atom;
}

const derived = new WeakMap<Schema, Derived>();

/** The atom of a schema node; without a schema, the deduced one. */
export function atomOf(schema: Schema | undefined): Atom {
  return schema === undefined ? DEDUCED : derive(schema, false);
}

/** `preserving` is handed down: below `x-kubernetes-preserve-unknown-fields` every struct takes unknown fields. */
function derive(schema: Schema, inherited: boolean): Atom {
  const preserving = inherited || schema['x-kubernetes-preserve-unknown-fields'] === true;
  let known = derived.get(schema);
  if (known === undefined) derived.set(schema, (known = {}));
  return preserving ? (known.preserving ??= build(schema, true)) : (known.plain ??= build(schema, false));
}

function build(schema: Schema, preserving: boolean): Atom {
  const scalar = scalarOf(schema);
  const any = schema.type === undefined;
  return {
    scalar,
    list: any || schema.type === 'array' ? listOf(schema, preserving) : undefined,
    map: any || schema.type === 'object' ? mapOf(schema, preserving) : undefined,
  };
}

function scalarOf(schema: Schema): Scalar | undefined {
  switch (schema.type) {
    case 'integer':
    case 'number':
      return 'numeric';
    case 'boolean':
      return 'boolean';
    case 'string':
      // Any other format (int-or-string, date-time, quantity) may be written as a number too.
      return schema.format === undefined || schema.format === '' || schema.format === 'byte' ? 'string' : 'untyped';
    case undefined:
      return 'untyped';
    case 'array':
    case 'object':
      return undefined;
  }
}

function listOf(schema: Schema, preserving: boolean): ListType {
  const items = schema.items;
  const element = () => (items === undefined ? ATOMIC_ANYTHING : derive(items, preserving));
  const keyDefault = (name: string) => items?.properties?.[name]?.default ?? undefined;
  switch (schema['x-kubernetes-list-type']) {
    case 'map':
      return listType(false, schema['x-kubernetes-list-map-keys'] ?? [], element, keyDefault);
    case 'set':
      return listType(false, [], element);
    case 'atomic':
      return listType(true, [], element);
    case undefined:
      break;
  }
  // Built-in lists from before list types existed say how a strategic merge patch merges them.
  const strategy = schema['x-kubernetes-patch-strategy'];
  if (strategy !== 'merge' && strategy !== 'merge,retainKeys') return listType(true, [], element);
  const key = schema['x-kubernetes-patch-merge-key'];
  return listType(false, key === undefined ? [] : [key], element, keyDefault);
}

function listType(
  atomic: boolean,
  declaredKeys: readonly string[],
  element: () => Atom,
  keyDefault: (name: string) => Json | undefined = () => undefined,
): ListType {
  let resolved: Atom | undefined;
  return {
    atomic,
    keys: declaredKeys.toSorted(),
    declaredKeys,
    // Resolved late: schemas contain themselves.
    get element() {
      return (resolved ??= element());
    },
    keyDefault,
  };
}

function mapOf(schema: Schema, preserving: boolean): MapType {
  const properties = schema.properties ?? {};
  const additional = schema.additionalProperties;
  const other = (): Atom | undefined => {
    if (additional === undefined) {
      return preserving || Object.keys(properties).length === 0 ? DEDUCED : undefined;
    }
    if (typeof additional === 'object') return derive(additional, preserving);
    return additional ? DEDUCED : undefined;
  };
  const atomic = schema['x-kubernetes-map-type'] === 'atomic';
  if (Object.keys(properties).length === 0) return openMap(atomic, other);
  // An object's metadata is a type of its own: that the object takes unknown fields says nothing of it.
  const isObject =
    schema['x-kubernetes-embedded-resource'] === true ||
    ('apiVersion' in properties && 'kind' in properties && 'metadata' in properties);
  const fields = new Map<string, Atom | undefined>();
  return {
    atomic,
    untyped: false,
    declares: name => Object.hasOwn(properties, name),
    field(name) {
      let atom = fields.get(name);
      if (atom === undefined && Object.hasOwn(properties, name)) {
        atom = derive(properties[name]!, preserving && !(isObject && name === 'metadata'));
        fields.set(name, atom);
      }
      return atom ?? other();
    },
  };
}

function openMap(atomic: boolean, element: () => Atom | undefined): MapType {
  let resolved: Atom | undefined;
  // Resolved late: schemas contain themselves.
  const field = () => (resolved ??= element());
  return {
    atomic,
    get untyped() {
      return field()?.scalar === 'untyped';
    },
    declares: () => false,
    field,
  };
}

/** Bits of the forms that a value may take. */
export const SCALAR = 1;
export const LIST = 2;
export const MAP = 4;

/**
 * The form that a value has, if the atom allows it; all forms of the atom for null and for a value that does not fit, which
 * validation reports.
 */
export function formsOf(atom: Atom, value: unknown): number {
  if (value !== undefined && value !== null) {
    if (typeof value !== 'object') {
      if (atom.scalar !== undefined) return SCALAR;
    } else if (Array.isArray(value)) {
      if (atom.list !== undefined) return LIST;
    } else if (atom.map !== undefined) return MAP;
  }
  return (atom.scalar ? SCALAR : 0) | (atom.list ? LIST : 0) | (atom.map ? MAP : 0);
}
