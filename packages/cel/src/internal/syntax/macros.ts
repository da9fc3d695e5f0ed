import { ACCUMULATOR, type Call, type Comprehension, type Expr, type LiteralValue } from './expr.ts';
import { SyntaxIssue } from './issue.ts';
import { OPERATOR } from './operators.ts';

type Expander = (call: Call, target: Expr) => Expr;

/** By name and number of arguments. All of them are called on a target but `has`. */
const MACROS: Readonly<Record<string, Expander>> = {
  'all/2': quantifier('all'),
  'all/3': quantifier('all'),
  'exists/2': quantifier('exists'),
  'exists/3': quantifier('exists'),
  'exists_one/2': quantifier('one'),
  'exists_one/3': quantifier('one'),
  'existsOne/3': quantifier('one'),
  'map/2': expandMap,
  'map/3': expandMap,
  'filter/2': expandFilter,
  'transformList/3': transformList,
  'transformList/4': transformList,
  'transformMap/3': transformMap,
  'transformMap/4': transformMap,
  'transformMapEntry/3': transformMapEntry,
  'transformMapEntry/4': transformMapEntry,
  'optMap/2': optMap,
  'optFlatMap/2': optFlatMap,
  'sortBy/2': sortBy,
};

/** The call itself when it is no macro. */
export function expandMacro(call: Call): Expr {
  if (call.target === undefined) return call.name === 'has' && call.args.length === 1 ? expandHas(call) : call;
  const key = `${call.name}/${call.args.length}`;
  return Object.hasOwn(MACROS, key) ? MACROS[key]!(call, call.target) : call;
}

function expandHas(call: Call): Expr {
  const [argument] = call.args;
  if (argument?.kind !== 'select' || argument.testOnly) {
    throw new SyntaxIssue(argument!.offset, 'invalid argument to has() macro');
  }
  return { ...argument, offset: call.offset, testOnly: true };
}

function quantifier(kind: 'all' | 'exists' | 'one'): Expander {
  return (call, target) => {
    const names = iterationVariables(call, call.args.length - 1, 'argument must be a simple name');
    const predicate = call.args.at(-1)!;
    const build = builder(call.offset);
    if (kind === 'all') {
      return build.fold(target, names, build.literal(true), {
        condition: build.call(OPERATOR.notStrictlyFalse, build.accumulator()),
        step: build.call(OPERATOR.and, build.accumulator(), predicate),
      });
    }
    if (kind === 'exists') {
      return build.fold(target, names, build.literal(false), {
        condition: build.call(OPERATOR.notStrictlyFalse, build.call(OPERATOR.not, build.accumulator())),
        step: build.call(OPERATOR.or, build.accumulator(), predicate),
      });
    }
    const increment = build.call(OPERATOR.add, build.accumulator(), build.literal(1n));
    return build.fold(target, names, build.literal(0n), {
      step: build.call(OPERATOR.conditional, predicate, increment, build.accumulator()),
      result: build.call(OPERATOR.equals, build.accumulator(), build.literal(1n)),
    });
  };
}

function expandMap(call: Call, target: Expr): Expr {
  const names = iterationVariables(call, 1, 'argument is not an identifier');
  return buildList(call, target, names, call.args.slice(1, -1)[0], call.args.at(-1)!);
}

function expandFilter(call: Call, target: Expr): Expr {
  const names = iterationVariables(call, 1, 'argument is not an identifier');
  return buildList(call, target, names, call.args[1]!, call.args[0]!);
}

function transformList(call: Call, target: Expr): Expr {
  const names = iterationVariables(call, 2, 'argument must be a simple name');
  return buildList(call, target, names, call.args.slice(2, -1)[0], call.args.at(-1)!);
}

function buildList(call: Call, target: Expr, names: Names, filter: Expr | undefined, element: Expr): Expr {
  const build = builder(call.offset);
  const grown = build.call(OPERATOR.add, build.accumulator(), build.list([element]));
  return build.fold(target, names, build.list([]), { step: build.unlessFiltered(filter, grown) });
}

function transformMap(call: Call, target: Expr): Expr {
  const names = iterationVariables(call, 2, 'argument must be a simple name');
  const build = builder(call.offset);
  const key = build.ident(names[0]);
  const grown = build.call('cel.@mapInsert', build.accumulator(), key, call.args.at(-1)!);
  const step = build.unlessFiltered(call.args.slice(2, -1)[0], grown);
  return build.fold(target, names, build.emptyMap(), { step });
}

function transformMapEntry(call: Call, target: Expr): Expr {
  const names = iterationVariables(call, 2, 'argument must be a simple name');
  const build = builder(call.offset);
  const grown = build.call('cel.@mapInsert', build.accumulator(), call.args.at(-1)!);
  const step = build.unlessFiltered(call.args.slice(2, -1)[0], grown);
  return build.fold(target, names, build.emptyMap(), { step });
}

function optMap(call: Call, target: Expr): Expr {
  const build = builder(call.offset);
  const mapped = build.call('optional.of', bindValue(call, target, 'optMap'));
  return build.call(OPERATOR.conditional, build.member('hasValue', target), mapped, build.call('optional.none'));
}

function optFlatMap(call: Call, target: Expr): Expr {
  const build = builder(call.offset);
  const mapped = bindValue(call, target, 'optFlatMap');
  return build.call(OPERATOR.conditional, build.member('hasValue', target), mapped, build.call('optional.none'));
}

function bindValue(call: Call, target: Expr, macro: string): Expr {
  const [variable, body] = call.args;
  if (variable?.kind !== 'ident') {
    throw new SyntaxIssue(variable!.offset, `${macro}() variable name must be a simple identifier`);
  }
  const build = builder(call.offset);
  return build.bind(variable.name, build.member('value', target), body!);
}

function sortBy(call: Call, target: Expr): Expr {
  const build = builder(call.offset);
  const input = '@sortBy';
  const keys = expandMap({ ...call, target: build.ident(input) }, build.ident(input));
  return build.bind(input, target, build.member('@sortByAssociatedKeys', build.ident(input), keys));
}

type Names = readonly [first: string, second?: string];

function iterationVariables(call: Call, count: number, complaint: string): Names {
  const names = call.args.slice(0, count).map(argument => {
    if (argument.kind !== 'ident') throw new SyntaxIssue(argument.offset, complaint);
    if (argument.name === '__result__') {
      throw new SyntaxIssue(argument.offset, 'iteration variable overwrites accumulator variable');
    }
    return argument.name;
  });
  if (count === 2 && names[0] === names[1]) {
    throw new SyntaxIssue(call.args[1]!.offset, `duplicate variable name: ${names[0]}`);
  }
  return names as unknown as Names;
}

/** Nodes that stand at the place of the macro call: an error in them is an error of the call. */
function builder(offset: number) {
  const literal = (value: LiteralValue): Expr => ({ kind: 'literal', offset, value });
  const ident = (name: string): Expr => ({ kind: 'ident', offset, name });
  const accumulator = (): Expr => ident(ACCUMULATOR);
  const call = (name: string, ...args: Expr[]): Expr => ({ kind: 'call', offset, name, target: undefined, args });
  const member = (name: string, target: Expr, ...args: Expr[]): Expr => ({ kind: 'call', offset, name, target, args });
  const list = (elements: Expr[]): Expr => ({ kind: 'list', offset, elements });
  const emptyMap = (): Expr => ({ kind: 'map', offset, entries: [] });
  const unlessFiltered = (filter: Expr | undefined, step: Expr): Expr =>
    filter === undefined ? step : call(OPERATOR.conditional, filter, step, accumulator());

  interface Loop {
    readonly condition?: Expr;
    readonly step: Expr;
    readonly result?: Expr;
  }
  const fold = (range: Expr, [variable, variable2]: Names, init: Expr, loop: Loop): Comprehension => ({
    kind: 'comprehension',
    offset,
    range,
    variable,
    variable2,
    accumulator: ACCUMULATOR,
    init,
    condition: loop.condition ?? literal(true),
    step: loop.step,
    result: loop.result ?? accumulator(),
  });
  const bind = (name: string, value: Expr, body: Expr): Comprehension => ({
    kind: 'comprehension',
    offset,
    range: list([]),
    variable: '#unused',
    variable2: undefined,
    accumulator: name,
    init: value,
    condition: literal(false),
    step: ident(name),
    result: body,
  });
  return { literal, ident, accumulator, call, member, list, emptyMap, unlessFiltered, fold, bind };
}
