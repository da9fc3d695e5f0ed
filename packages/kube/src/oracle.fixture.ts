/** What Kubernetes' own libraries answered, for the tests of this package. Made by `fixtures/oracle`. */
import { readFileSync } from 'node:fs';

export interface Answer {
  readonly input: string;
  readonly text?: string;
  readonly error?: string;
}

export interface Oracle {
  readonly labelSelectors: readonly Answer[];
  readonly fieldSelectors: readonly Answer[];
  readonly quantities: readonly Answer[];
  /** Tried on `fixtures/oracle/document.json`. */
  readonly jsonPaths: readonly Answer[];
  readonly strictJsonPaths: readonly Answer[];
  readonly sums: readonly { left: string; right: string; order: number; sum: string; difference: string }[];
  readonly names: readonly { rule: string; input: string; problems: readonly string[] }[];
}

export const oracle: Oracle = JSON.parse(readFileSync(new URL('../fixtures/oracle.json', import.meta.url), 'utf8'));

export const oracleDocument: unknown = JSON.parse(
  readFileSync(new URL('../fixtures/oracle/document.json', import.meta.url), 'utf8'),
);
