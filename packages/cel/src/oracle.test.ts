import { readFileSync } from 'node:fs';
import type { Json } from '@capstan/kube';
import { describe, expect, test } from 'vitest';
import { CostBudget, compileRule, type StructuralSchema } from './index.ts';

/** What Kubernetes 1.37 answers for the cases in `oracle/cases.json`; `oracle/README.md` says how it was asked. */
interface Answer {
  readonly rule: string;
  readonly compileError?: string;
  readonly estimatedCost?: number;
  readonly maxCardinality?: number;
  readonly usesOldSelf?: boolean;
  readonly result?: boolean;
  readonly error?: string;
  readonly cost?: number;
}

interface Case {
  readonly group: string;
  readonly rule: string;
  readonly schema?: StructuralSchema;
  readonly root?: boolean;
  readonly optionalOldSelf?: boolean;
  readonly self?: Json;
  readonly oldSelf?: Json;
}

const read = (path: string): unknown => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
const input = read('../oracle/cases.json') as { schema: StructuralSchema; self: Json; cases: Case[] };
const answers = read('./fixtures/oracle.json') as Answer[];

/** Accepted differences, each with its reason. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  'self..v': 'syntax errors come from another parser',
  'self.v = 1': 'syntax errors come from another parser',
  "'unterminated": 'syntax errors come from another parser',
  '[1, 2': 'syntax errors come from another parser',
  '1.5.2': 'syntax errors come from another parser',
};
const OTHER_COST: Readonly<Record<string, string>> = {
  "self.tags.transformMapEntry(i, t, {'same': i}).size() == 1": 'a failed loop stops here and goes on there',
  "{'a': self.text, 'b': self.name}.all(k, k == 'a')": 'the order of map keys is random there',
  'cidr(self.name).containsIP(self.name)': 'a call with a failed argument costs one unit here',
  'cidr(self.name).containsCIDR(self.text)': 'a call with a failed argument costs one unit here',
};

const cases = input.cases.map((given, index) => ({ given, answer: answers[index]! })).filter(({ given }) => given.rule);
const shown = (rule: string): string => (rule.length > 90 ? `${rule.slice(0, 90)}…` : rule);

describe.each([...Map.groupBy(cases, ({ given }) => given.group)])('%s, as Kubernetes has it', (_, group) => {
  test.each(group.map(entry => [shown(entry.given.rule), entry] as const))('%s', (_rule, { given, answer }) => {
    expect(answer.rule).toBe(given.rule);
    const compiled = compileRule(given.rule, {
      schema: given.schema ?? input.schema,
      isResourceRoot: given.root ?? false,
      optionalOldSelf: given.optionalOldSelf ?? false,
    });
    if (!compiled.ok) {
      expect(answer.compileError, compiled.message).toBeDefined();
      if (!(given.rule in OTHER_WORDS)) expect(compiled.message).toBe(answer.compileError);
      return;
    }
    const { rule } = compiled;
    expect(answer.compileError).toBeUndefined();
    expect(rule.usesOldSelf).toBe(answer.usesOldSelf ?? false);
    expect(rule.maxCardinality).toBe(answer.maxCardinality);
    expect(rule.estimatedCost / Math.max(1, answer.estimatedCost ?? 0)).toBeCloseTo(answer.estimatedCost ? 1 : 0, 9);
    const outcome = rule.evaluate({ self: given.self ?? input.self, oldSelf: given.oldSelf }, new CostBudget());
    if (answer.error === 'operation cancelled: actual cost limit exceeded') {
      expect(outcome).toMatchObject({ kind: 'out of budget', scope: 'evaluation' });
    } else if (answer.error !== undefined) {
      expect(outcome).toMatchObject({ kind: 'error', message: answer.error });
    } else {
      expect(outcome).toMatchObject({ kind: 'value', value: answer.result });
    }
    if (!(given.rule in OTHER_COST)) expect(outcome.cost).toBe(answer.cost ?? 0);
  });
});

test('no accepted difference is about a case that is gone', () => {
  const rules = new Set(cases.map(({ given }) => given.rule));
  expect([...Object.keys(OTHER_WORDS), ...Object.keys(OTHER_COST)].filter(rule => !rules.has(rule))).toEqual([]);
});
