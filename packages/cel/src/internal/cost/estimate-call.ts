import type { Expr } from '../syntax/expr.ts';
import type { Type } from '../types/type.ts';
import { type Amount, add, exactly, LIMITLESS, multiply, scale, UNKNOWN, union } from './amount.ts';
import { REGEX_FACTOR, STRING_FACTOR } from './factors.ts';
import { estimateReplace } from './replace.ts';

/** A receiver or argument, as the price list sees it. */
export interface CostNode {
  readonly path: readonly string[];
  readonly type: Type;
  readonly expr: Expr;
  readonly size?: Amount;
}

/** The call itself without its arguments, and how long its result can get where that is known. */
export interface CallEstimate {
  readonly cost: Amount;
  readonly size?: Amount;
}

/** The longest pattern among the named formats. */
const FORMAT_PATTERN_LENGTH = 128;

const ADDRESS_BYTES: Amount = { min: 4, max: 16 };

const sizeOf = (node: CostNode): Amount => node.size ?? UNKNOWN;
const traverse = (size: Amount, times = 1): Amount => scale(size, times * STRING_FACTOR);

/** The price of one overload. `schemaSize` looks up a limit in the schema. */
export function estimateCall(
  name: string,
  id: string,
  target: CostNode | undefined,
  args: readonly CostNode[],
  schemaSize: (path: readonly string[]) => Amount | undefined,
): CallEstimate {
  const [first, second] = args;
  switch (name) {
    case 'isSorted':
    case 'sum':
    case 'max':
    case 'min':
    case 'indexOf':
    case 'lastIndexOf':
    case 'includes':
      return { cost: elementwise(name, target!, schemaSize) };
    case 'url':
      return { cost: traverse(sizeOf(first!)), size: sizeOf(first!) };
    case 'lowerAscii':
    case 'upperAscii':
    case 'substring':
    case 'trim':
      return { cost: traverse(sizeOf(target!)), size: sizeOf(target!) };
    case 'replace':
      return {
        cost: traverse(sizeOf(target!), 2),
        size: estimateReplace(sizeOf(target!), sizeOf(first!), sizeOf(second!)),
      };
    case 'split':
      return { cost: traverse(sizeOf(target!), 2), size: { min: 0, max: splitLimit(second) ?? sizeOf(target!).max } };
    case 'join': {
      const size = joinedSize(target!, first, schemaSize);
      return { cost: traverse(size), size };
    }
    case 'find':
    case 'findAll':
      return { cost: matching(sizeOf(target!), sizeOf(first!)), size: { min: 0, max: sizeOf(target!).max } };
    case 'cidr':
    case 'isIP':
    case 'isCIDR':
    case 'quantity':
    case 'isQuantity':
    case 'semver':
    case 'isSemver':
      return { cost: traverse(sizeOf(first!)) };
    case 'ip':
      return { cost: id === 'cidr_ip' ? exactly(1) : traverse(sizeOf(first!)) };
    case 'ip.isCanonical':
      return { cost: traverse(sizeOf(first!), 2) };
    case 'containsIP': {
      const compared = traverse(add(ADDRESS_BYTES, ADDRESS_BYTES));
      return { cost: id === 'cidr_contains_ip_string' ? add(compared, traverse(sizeOf(first!))) : compared };
    }
    case 'containsCIDR': {
      const compared = add(traverse(add(ADDRESS_BYTES, ADDRESS_BYTES)), traverse(ADDRESS_BYTES), exactly(1));
      return { cost: id === 'cidr_contains_cidr_string' ? add(compared, traverse(sizeOf(first!))) : compared };
    }
    case 'validate':
      return { cost: scale(traverse(sizeOf(first!)), FORMAT_PATTERN_LENGTH * REGEX_FACTOR) };
    case '_==_':
      return estimateEquality(first!, second!);
    default:
      return estimateOverload(id, target, args);
  }
}

function estimateEquality(left: CostNode, right: CostNode): CallEstimate {
  const isOpaque = left.type.kind === 'opaque' && left.type.name === right.type.name;
  if (isOpaque && left.type.name !== 'optional_type') {
    if (left.type.name === 'kubernetes.NamedFormat') return { cost: traverse({ min: 1, max: 64 }) };
    if (left.type.name !== 'kubernetes.URL') return { cost: exactly(1) };
    const size = left.size && right.size ? union(left.size, right.size) : exactly(1);
    return { cost: traverse({ min: 1, max: size.max }) };
  }
  return { cost: comparison(left, right) };
}

function comparison(left: CostNode, right: CostNode): Amount {
  const max = Math.min(sizeOf(left).max, sizeOf(right).max);
  return traverse({ min: max > 0 ? 1 : 0, max });
}

function estimateOverload(id: string, target: CostNode | undefined, args: readonly CostNode[]): CallEstimate {
  const [first, second] = args;
  switch (id) {
    case 'list_sets_contains_list':
    case 'list_sets_intersects_list':
      return { cost: add(multiply(sizeOf(first!), sizeOf(second!)), exactly(1)) };
    case 'list_sets_equivalent_list':
      return { cost: add(scale(multiply(sizeOf(first!), sizeOf(second!)), 2), exactly(1)) };
    case 'string_format':
      return { cost: traverse(sizeOf(target!)) };
    case 'string_to_bytes': {
      const size = sizeOf(first!);
      return { cost: traverse(size), size: { min: size.min, max: Math.min(size.max * 4, LIMITLESS) } };
    }
    case 'bytes_to_string': {
      const size = sizeOf(first!);
      return { cost: traverse(size), size: { min: Math.floor(size.min / 4), max: size.max } };
    }
    case 'strings_quote': {
      const size = sizeOf(first!);
      return { cost: traverse(size), size: { min: size.min + 2, max: Math.min(size.max * 2 + 2, LIMITLESS) } };
    }
    case 'starts_with_string':
    case 'ends_with_string':
      return { cost: traverse(sizeOf(first!)) };
    case 'in_list':
      return { cost: sizeOf(second!) };
    case 'matches_string':
      return { cost: matching(sizeOf(target!), sizeOf(first!)) };
    case 'matches':
      return { cost: matching(sizeOf(first!), sizeOf(second!)) };
    case 'contains_string':
      return { cost: multiply(traverse(sizeOf(target!)), traverse(sizeOf(first!))) };
    case 'add_list':
      return { cost: exactly(1), size: add(sizeOf(first!), sizeOf(second!)) };
    case 'add_string':
    case 'add_bytes': {
      const size = add(sizeOf(first!), sizeOf(second!));
      return { cost: traverse(size), size };
    }
    case 'not_equals':
      return { cost: comparison(first!, second!) };
    case 'list_slice': {
      const start = literalCount(first!, 0);
      const end = literalCount(second!, sizeOf(target!).max);
      return newList(1, exactly(end >= start ? end - start : LIMITLESS));
    }
    case 'lists_range':
      return newList(1, exactly(literalCount(first!, LIMITLESS)));
    case 'list_reverse':
    case 'list_flatten':
      return newList(1, sizeOf(target!));
    case 'list_flatten_int':
      return newList(literalCount(first!, LIMITLESS), sizeOf(target!));
    case 'list_distinct':
      return newList(2, multiply(sizeOf(target!), sizeOf(target!)));
    default:
      if (/^list_.*_sort$/.test(id)) return sorting(id, sizeOf(target!));
      if (/_sortByAssociatedKeys$/.test(id)) return sorting(id, sizeOf(first!));
      if (/^(?:less|greater)_(?:equals_)?(?:string|bytes)$/.test(id)) return { cost: comparison(first!, second!) };
      return { cost: exactly(1) };
  }
}

function sorting(id: string, size: Amount): CallEstimate {
  const factor = /^list_(?:string|bytes)_/.test(id) ? 2 + STRING_FACTOR : 2;
  return newList(factor, multiply(size, size));
}

function newList(factor: number, size: Amount): CallEstimate {
  return { cost: add(scale(size, factor), exactly(11)), size };
}

/** One is added to the text: an empty one does not make a long pattern free. */
function matching(text: Amount, pattern: Amount): Amount {
  return multiply(traverse(add(text, exactly(1))), scale(pattern, REGEX_FACTOR));
}

/** One unit an element, and for texts their traversal. */
function elementwise(
  name: string,
  target: CostNode,
  schemaSize: (path: readonly string[]) => Amount | undefined,
): Amount {
  const [element] = target.type.parameters;
  if (element === undefined) return name === 'includes' ? sizeOf(target) : traverse(sizeOf(target));
  const isText = element.kind === 'string' || element.kind === 'bytes';
  const each = isText ? add(exactly(1), traverse(elementSize(target, schemaSize))) : exactly(1);
  return multiply(sizeOf(target), each);
}

function elementSize(list: CostNode, schemaSize: (path: readonly string[]) => Amount | undefined): Amount {
  const known = list.path.length === 0 ? undefined : schemaSize([...list.path, '@items']);
  return known ?? UNKNOWN;
}

function joinedSize(
  list: CostNode,
  separator: CostNode | undefined,
  schemaSize: (path: readonly string[]) => Amount | undefined,
): Amount {
  const count = sizeOf(list);
  const isTyped = list.type.parameters.length > 0;
  const joined = isTyped ? multiply(count, elementSize(list, schemaSize)) : exactly(0);
  if (!separator) return joined;
  const gaps = { min: Math.max(0, count.min - 1), max: Math.max(0, count.max - 1) };
  return add(joined, multiply(sizeOf(separator), gaps));
}

function splitLimit(limit: CostNode | undefined): number | undefined {
  const value = limit?.expr.kind === 'literal' ? limit.expr.value : undefined;
  if (typeof value !== 'bigint') return undefined;
  return value < 0n ? LIMITLESS : Number(value);
}

function literalCount(node: CostNode, otherwise: number): number {
  const value = node.expr.kind === 'literal' ? node.expr.value : undefined;
  return typeof value === 'bigint' ? Math.max(0, Number(value)) : otherwise;
}
