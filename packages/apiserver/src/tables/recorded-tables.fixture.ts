/** Tables of a real API server, and what they were made of. */
import { readdirSync, readFileSync } from 'node:fs';
import type { ListMeta } from '@capstan/kube';
import type { Stored } from '../kind.ts';
import type { Cell } from './printer.ts';

export const RECORDINGS = new URL('./fixtures/recorded/', import.meta.url);

export interface Recording {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** When the table was made: milliseconds since the epoch. */
  readonly now: number;
  readonly metadata: ListMeta;
  readonly items: readonly Stored[];
  readonly table: object;
  /** The cells of an object without anything: a bookmark of a watch is printed like any other event. */
  readonly bookmark: readonly Cell[];
}

export function recordedTables(): readonly Recording[] {
  return readdirSync(RECORDINGS).map(file => JSON.parse(readFileSync(new URL(file, RECORDINGS), 'utf8')) as Recording);
}
