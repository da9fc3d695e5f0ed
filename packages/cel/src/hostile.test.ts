import type { Json } from '@capstan/kube';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CostBudget, compile, compileRule, compileSchemaRules, type StructuralSchema } from './index.ts';

/** Everything without limits: what a careless schema allows, filled with about as much as a request can hold. */
const schema: StructuralSchema = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    list: { type: 'array', items: { type: 'string' } },
    numbers: { type: 'array', items: { type: 'integer' } },
    map: { type: 'object', additionalProperties: { type: 'string' } },
    grid: { type: 'array', items: { type: 'array', items: { type: 'integer' } } },
    set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
  },
};

const strings = Array.from({ length: 100_000 }, (_, index) => `x${index}`);
const self: Json = {
  text: 'a'.repeat(1_000_000),
  list: strings,
  numbers: strings.map((_, index) => index),
  map: Object.fromEntries(strings.map(key => [key, 'v'])),
  grid: Array.from({ length: 500 }, () => Array.from({ length: 500 }, (_, index) => index)),
  set: strings,
};

/** Compiles and evaluates; nothing may be thrown, and nothing may hang: a hang is a thousand times the limit of a test. */
function survive(rule: string): string {
  const compiled = compileRule(rule, { schema });
  const outcome = compiled.ok ? compiled.rule.evaluate({ self }, new CostBudget()).kind : 'refused';
  return outcome;
}

describe('no pattern hangs the server', () => {
  test.each([
    "self.text.matches('(a+)+$')",
    "self.text.matches('(a|aa)+b')",
    "self.text.matches('(.*)*x')",
    "self.text.find('(a*)*b') == ''",
    "self.text.findAll('').size() > 0",
    "self.text.findAll('a?').size() > 0",
    'self.text.matches(self.text)',
    "self.text.matches('(((a{100}){100}){100})')",
    "'x'.matches('((((((a{30}){30}){30}){30}){30}){30})')",
    `self.text.matches('${'(a?)'.repeat(1000)}a{1000}')`,
    `self.text.matches('${'(a?){1000}'.repeat(20)}e$')`,
    "self.text.matches('([ab]?){1000}[ab]{1000}d')",
    "self.text.matches('[ab]*a[ab]{900}c')",
    `self.list.all(x, 'a'.matches(x + '(a?){1000}'))`,
    "self.list.all(x, self.text.matches('(a+)+b'))",
    "self.list.exists(x, self.text.find(x + '(a*)*$') == 'q')",
  ])('%s', rule => {
    survive(rule);
  });

  test('a rule that is stopped says so', () => {
    const compiled = compileRule("self.list.all(x, self.list.all(y, x + y != ''))", { schema });
    const outcome = compiled.ok && compiled.rule.evaluate({ self }, new CostBudget());
    expect(outcome).toMatchObject({ kind: 'out of budget', scope: 'evaluation' });
  });

  test('look-ahead and back-references are not RE2 and are refused', () => {
    expect(survive("self.text.matches('(?=a)a')")).toBe('refused');
    expect(survive("self.text.matches('(a)\\\\1')")).toBe('refused');
  });
});

describe('no rule takes more than its budget', () => {
  test.each([
    "self.list.all(x, self.list.all(y, self.list.all(z, x + y + z != '')))",
    'self.list.all(x, [self.list] == [self.list])',
    'self.list.all(x, self.set == self.set)',
    'self.list.all(x, self.map == self.map)',
    'self.list.all(x, self.map.size() > 0)',
    'self.list.all(x, self.map.exists(k, true))',
    'self.list.all(x, self.grid == self.grid)',
    'self.list.all(x, self.numbers.sum() > 0)',
    "self.list.all(x, self.list.indexOf('q') < 0)",
    'self.list.all(x, self.text.size() > 0)',
    "self.list.all(x, self.text.indexOf('b') < 0)",
    "self.list.all(x, self.text.split('').size() > 0)",
    'self.list.all(x, url(self.text) == url("/"))',
    'self.list.all(x, format.dns1123Label().validate(self.text).hasValue())',
    "self.list.all(x, '%.99f'.format([1e300]).size() > 0)",
    "self.list.all(x, timestamp(0).getHours('Europe/Zurich') == 1)",
    'self.list.distinct().sort().reverse().size() > 0',
    'sets.equivalent(self.list, self.list)',
    `(${new Array(200).fill('self.list').join(' + ')}).reverse().size() > 0`,
    `optional.of(1)${'.optMap(x, x)'.repeat(60)}.hasValue()`,
    'self.list.transformMap(i, v, v).size() > 0',
  ])('%s', rule => {
    survive(rule);
  });
});

describe('no rule fills the memory', () => {
  test.each([
    "self.text.replace('', self.text).size() > 0",
    "self.text.replace('a', self.text).size() > 0",
    'self.list.join(self.text).size() > 0',
    'self.list.map(x, self.text + x).size() > 0',
    "'%s%s'.format([self.list, self.map]).size() > 0",
    'lists.range(9223372036854775807).size() > 0',
    `[self.list]${'.map(x, x + x)'.repeat(80)}[0].reverse().size() > 0`,
    `[self.text]${'.map(x, x + x)'.repeat(80)}[0].size() > 0`,
  ])('%s', rule => {
    const before = process.memoryUsage().rss;
    survive(rule);
    expect(process.memoryUsage().rss - before).toBeLessThan(1_500_000_000);
  });
});

describe('no schema takes long to compile', () => {
  const withRules = (count: number, rule: (index: number) => string): StructuralSchema => ({
    ...schema,
    'x-kubernetes-validations': Array.from({ length: count }, (_, index) => ({ rule: rule(index), message: 'm' })),
  });

  test.each([
    ['many rules', withRules(50_000, index => `self.text != '${index}'`)],
    ['large rules', withRules(40, index => `${'self.text.size() > 0 || '.repeat(3000)} ${index} > 0`)],
    ['heavy patterns', withRules(1000, index => `self.text.matches('(a?){1000}${index}(b?){1000}')`)],
  ])('with %s', (_, hostile) => {
    const { problems } = compileSchemaRules(hostile);
    expect(problems.map(({ detail }) => detail)).toContain(
      'too many x-kubernetes-validations rules, or too large ones, in the schema',
    );
  });

  test('nested deeper than any object', () => {
    let deep: StructuralSchema = { type: 'string' };
    for (let level = 0; level < 3000; level++) {
      deep = { type: 'object', properties: { a: deep }, 'x-kubernetes-validations': [{ rule: 'has(self.a)' }] };
    }
    compileSchemaRules(deep);
  });
});

describe('no text breaks the parser or the checker', () => {
  test.each([
    ['parentheses', `${'('.repeat(50_000)}1${')'.repeat(49_999)}`],
    ['negations', `${'!'.repeat(99_000)}true`],
    ['minus signs', `${'-'.repeat(99_000)}1 == 1`],
    ['open brackets', '['.repeat(99_000)],
    ['nested lists', `${'['.repeat(200)}${']'.repeat(200)} == []`],
    ['a long sum', `${'1+'.repeat(45_000)}1 == 1`],
    ['a long chain of ors', `${'true || '.repeat(12_000)}false`],
    ['a long path', `self${'.a'.repeat(40_000)} == 1`],
    ['many ternaries', `${'true ? '.repeat(5_000)}1${' : 2'.repeat(5_000)} == 1`],
    ['types that double', `[1]${'.map(x, {x: x})'.repeat(100)}.size() > 0`],
    ['values that double', `[[1]]${'.map(x, [x, x])'.repeat(100)}.size() > 0`],
    ['a long number', `${'9'.repeat(90_000)} == 1`],
    ['a long text', `'${'é'.repeat(90_000)}' == self.text`],
    ['nothing but quotes', `'`.repeat(99_999)],
    ['more than is read at all', `self.text == '${'a'.repeat(200_000)}'`],
    ['lone surrogates', "self.text == '\ud800'"],
    ['keys of prototypes', "self.__proto__ == 1 || self.constructor == 1 || {'__proto__': 1}.constructor == 1"],
  ])('%s', (_, rule) => {
    survive(rule);
  });
});

/** Random expressions that are likely to compile: every macro, many functions, wrong types now and then. */
const { expression } = fc.letrec<{ expression: string }>(tie => {
  const leaf = fc.constantFrom(
    ...['self', 'self.text', 'self.list', 'self.numbers', 'self.map', 'self.grid', 'self.set', 'x', 'y', '1', '-1'],
    ...['0', '1.5', "'a'", "''", 'true', 'null', '[]', '{}', '9223372036854775807', "duration('1h')", "b'a'"],
  );
  const sub = tie('expression');
  const binary = fc.constantFrom('+', '-', '*', '/', '%', '==', '!=', '<', '>=', '&&', '||', 'in');
  const macro = fc.constantFrom('all', 'exists', 'exists_one', 'map', 'filter', 'optMap', 'sortBy');
  const method = fc.constantFrom(
    ...[
      'size',
      'sum',
      'max',
      'sort',
      'distinct',
      'reverse',
      'flatten',
      'join',
      'trim',
      'first',
      'isSorted',
      'lowerAscii',
    ],
  );
  const method1 = fc.constantFrom(
    ...['contains', 'matches', 'split', 'find', 'findAll', 'indexOf', 'format', 'includes', 'orValue', 'charAt'],
  );
  const global = fc.constantFrom(
    'size',
    'string',
    'int',
    'dyn',
    'type',
    'url',
    'ip',
    'quantity',
    'optional.of',
    'bytes',
  );
  return {
    expression: fc.oneof(
      { depthSize: 'medium', withCrossShrink: true },
      leaf,
      fc.tuple(sub, binary, sub).map(([left, operator, right]) => `(${left} ${operator} ${right})`),
      fc
        .tuple(sub, macro, fc.constantFrom('x', 'y'), sub)
        .map(([range, name, v, body]) => `${range}.${name}(${v}, ${body})`),
      fc.tuple(sub, method).map(([target, name]) => `${target}.${name}()`),
      fc.tuple(sub, method1, sub).map(([target, name, argument]) => `${target}.${name}(${argument})`),
      fc.tuple(global, sub).map(([name, argument]) => `${name}(${argument})`),
      fc.tuple(sub, sub, sub).map(([condition, left, right]) => `(${condition} ? ${left} : ${right})`),
      fc.tuple(sub, sub).map(([target, index]) => `${target}[${index}]`),
      fc.array(sub, { maxLength: 3 }).map(elements => `[${elements.join(', ')}]`),
      fc.tuple(sub, sub).map(([key, value]) => `{${key}: ${value}}`),
    ),
  };
});

const small: Json = {
  text: 'some text 🦊',
  list: ['a', 'b', 'c'],
  numbers: [3, 1, 2],
  map: { a: 'b', c: 'd' },
  grid: [[1, 2], [3]],
  set: ['p', 'q'],
};

describe('random expressions', () => {
  test('compile or are refused, and end', () => {
    fc.assert(
      fc.property(expression, rule => {
        const compiled = compileRule(`${rule} == ${rule}`, { schema });
        if (compiled.ok) compiled.rule.evaluate({ self: small }, new CostBudget());
      }),
      { numRuns: 800 },
    );
  });

  test('never cost more than was estimated', () => {
    fc.assert(
      fc.property(expression, rule => {
        const compiled = compileRule(`${rule} == ${rule}`, { schema });
        if (!compiled.ok) return;
        const outcome = compiled.rule.evaluate({ self: small }, new CostBudget());
        if (outcome.kind === 'value')
          expect(outcome.cost).toBeLessThanOrEqual(Math.max(100, compiled.rule.estimatedCost * 2));
      }),
      { numRuns: 400 },
    );
  });

  test('over plain JSON end as well', () => {
    fc.assert(
      fc.property(expression, fc.jsonValue(), (text, value) => {
        const compiled = compile(text, { variables: { self: 'dyn', x: 'dyn', y: 'dyn' } });
        if (compiled.ok) compiled.expression.evaluate({ self: value as Json, x: 1, y: 'a' });
      }),
      { numRuns: 800 },
    );
  });

  test('of any characters at all are refused or end', () => {
    const characters = fc.string({
      unit: fc.constantFrom(...'()[]{}.,?:!-+*/%<>=&|"\'\\ \n\t0179eExuabrself_$é🦊'),
      maxLength: 60,
    });
    fc.assert(
      fc.property(fc.oneof(characters, fc.string({ unit: 'binary' })), rule => {
        const compiled = compileRule(rule, { schema });
        if (compiled.ok) compiled.rule.evaluate({ self: small }, new CostBudget());
      }),
      { numRuns: 1500 },
    );
  });
});
