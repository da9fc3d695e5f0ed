import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ExecError, LimitError, ParseError } from './errors.ts';
import { Template } from './template.ts';
import { functions } from './testing/functions.ts';
import { hostData } from './testing/host.ts';
import { toBytes } from './text/bytes.ts';
import type { Json } from './value/host.ts';

/** Recorded by `oracle/`: what Go answers to templates of our own. */
interface Suite {
  readonly kind: 'template' | 'yaml';
  readonly groups: readonly {
    readonly data?: Json;
    readonly host?: boolean;
    readonly missingKey?: 'zero' | 'error';
    readonly cases: readonly {
      readonly template: string;
      readonly associated?: Record<string, string>;
      readonly left?: string;
      readonly right?: string;
      readonly output?: string;
      readonly outputBase64?: string;
      readonly error?: string;
    }[];
  }[];
}

const all = functions();
const folder = new URL('../fixtures/', import.meta.url);
const suites = readdirSync(folder)
  .map(file => ({
    name: file.replace('.json', ''),
    suite: JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Suite,
  }))
  .filter(({ suite }) => suite.kind === 'template');

/** Addresses differ from run to run, in Go too. */
const maskAddresses = (text: string) => text.replace(/0x[0-9a-f]{6,}/g, '0xADDRESS');

type Case = Suite['groups'][number]['cases'][number];

function answer(group: Suite['groups'][number], test: Case): { output: string } | { error: string } {
  try {
    const template = new Template('test', {
      functions: all,
      delimiters: [test.left ?? '', test.right ?? ''],
      missingKey: group.missingKey ?? 'default',
    });
    for (const name of Object.keys(test.associated ?? {}).sort()) template.new(name).parse(test.associated![name]!);
    const data = group.host ? hostData() : structuredClone(group.data ?? null);
    return { output: maskAddresses(template.parse(test.template).execute(data)) };
  } catch (error) {
    if (error instanceof ParseError || error instanceof ExecError || error instanceof LimitError) {
      return { error: maskAddresses(error.message) };
    }
    throw error;
  }
}

function expected(test: Case): { output: string } | { error: string } {
  if (test.error !== undefined) return { error: maskAddresses(test.error) };
  return { output: maskAddresses(test.output ?? '') };
}

describe.each(suites)('a template gives what Go gives: $name', ({ suite }) => {
  for (const group of suite.groups) {
    it.each(group.cases.map(test => [test.template, test] as const))('%s', (_, test) => {
      const actual = answer(group, test);
      if (test.outputBase64 === undefined) expect(actual).toEqual(expected(test));
      else
        expect(Buffer.from(toBytes((actual as { output: string }).output)).toString('base64')).toBe(test.outputBase64);
    });
  }
});
