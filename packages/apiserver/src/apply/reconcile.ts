/**
 * Brings a set that was written under an older schema in line with the present one: who owned parts of what is now one leaf
 * owns the leaf.
 */
import { type Atom, LIST, MAP, SCALAR } from './atom.ts';
import { type FieldSet, hasChildren, isMember, LEAF } from './fieldset.ts';

/** Sets that were found in line with a schema. Sets and atoms never change. */
const inLine = new WeakMap<FieldSet, WeakSet<Atom>>();

/** The same set where nothing had to change. */
export function reconcileSet(set: FieldSet, atom: Atom): FieldSet {
  if (inLine.get(set)?.has(atom)) return set;
  const reconciled = reconcileChildren(set, atom);
  if (reconciled === set && Object.isFrozen(set)) {
    const atoms = inLine.get(set) ?? new WeakSet<Atom>();
    atoms.add(atom);
    inLine.set(set, atoms);
  }
  return reconciled;
}

function reconcileNode(node: FieldSet, atom: Atom): FieldSet {
  const forms = (atom.map ? MAP : 0) || (atom.scalar ? SCALAR : LIST);
  if (forms === SCALAR) return node;
  // A leaf of the set is a leaf of the object already.
  const ownsLeaf = isMember(node) && !hasChildren(node);
  if (forms === MAP) {
    if (atom.map!.untyped) return node;
    if (atom.map!.atomic && !ownsLeaf) return LEAF;
  } else if (atom.list!.atomic && !ownsLeaf) return LEAF;
  return reconcileChildren(node, atom);
}

function reconcileChildren(node: FieldSet, atom: Atom): FieldSet {
  let out: Record<string, FieldSet> | undefined;
  for (const element in node) {
    if (element === '.') continue;
    const child = node[element]!;
    const type = typeOf(element, atom);
    const reconciled = type === undefined ? child : reconcileNode(child, type);
    if (reconciled === child) continue;
    out ??= { ...node };
    out[element] = reconciled;
  }
  return out ?? node;
}

function typeOf(element: string, atom: Atom): Atom | undefined {
  if (atom.map === undefined) return atom.scalar === undefined ? atom.list?.element : undefined;
  return atom.map.untyped ? undefined : atom.map.field(element.startsWith('f:') ? element.slice(2) : '\0');
}
