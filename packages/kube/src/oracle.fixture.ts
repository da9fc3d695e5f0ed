/** What Kubernetes' own libraries answered, for the tests of this package. Made by `fixtures/oracle`. */
import { readFileSync } from 'node:fs';

export interface Answer {
  readonly input: string;
  readonly text?: string;
  readonly error?: string;
}

/** Files, in the order of KUBECONFIG, and what client-go makes of them; `$DIR` is the folder of the files. */
export interface KubeconfigAnswer {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly order: readonly string[];
  readonly context?: string;
  readonly refused?: boolean;
  readonly server?: string;
  readonly namespace?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
  readonly caFile?: string;
  readonly certFile?: string;
  readonly insecure?: boolean;
  readonly serverName?: string;
  readonly impersonate?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
  readonly execCommand?: string;
}

export interface Oracle {
  readonly labelSelectors: readonly Answer[];
  readonly fieldSelectors: readonly Answer[];
  readonly quantities: readonly Answer[];
  /** Tried on `fixtures/oracle/document.json`. */
  readonly jsonPaths: readonly Answer[];
  readonly strictJsonPaths: readonly Answer[];
  readonly sums: readonly { left: string; right: string; order: number; sum: string; difference: string }[];
  readonly kubeconfigs: readonly KubeconfigAnswer[];
  readonly names: readonly { rule: string; input: string; problems: readonly string[] }[];
}

export const oracle: Oracle = JSON.parse(readFileSync(new URL('../fixtures/oracle.json', import.meta.url), 'utf8'));

export const oracleDocument: unknown = JSON.parse(
  readFileSync(new URL('../fixtures/oracle/document.json', import.meta.url), 'utf8'),
);
