/** Our table of the objects that a recording shows. */

import { apiVersionOf, type KubeObject } from '@capstan/kube';
import { kindDefinitions } from '../crd/index.ts';
import type { KindDefinition } from '../kind.ts';
import { Kinds } from '../kinds.ts';
import { Entry } from '../store/entry.ts';
import type { Cell } from './printer.ts';
import type { Recording } from './recorded-tables.fixture.ts';
import { type Table, tableOf, tableOfBookmark } from './table.ts';

/** The built-in kinds, and those of the CustomResourceDefinitions among the recordings. */
export function kindsOf(recordings: readonly Recording[]): (recording: Recording) => KindDefinition {
  const kinds = new Kinds();
  const definitions = recordings.find(({ plural }) => plural === 'customresourcedefinitions')?.items ?? [];
  for (const definition of definitions) kinds.serve(definition.metadata.name!, kindDefinitions(definition));
  return ({ group, version, plural }) => kinds.find(group, version, plural)!;
}

const OPTIONS = { include: 'None', version: 'v1', withDefinitions: true } as const;

const typeOf = ({ kind, group, version }: KindDefinition) => ({ kind, apiVersion: apiVersionOf({ group, version }) });

export function ourTable(kind: KindDefinition, { now, metadata, items }: Recording): Table {
  const entries = items.map((item, index) => Entry.of(String(index), index, { ...item, ...typeOf(kind) }));
  return tableOf(kind, entries, metadata, { ...OPTIONS, now });
}

/** Of an object that has nothing but a version. */
export function ourBookmark(kind: KindDefinition): readonly Cell[] {
  const bookmark = { ...typeOf(kind), metadata: { resourceVersion: '1' } } as KubeObject;
  return tableOfBookmark(kind, bookmark, { ...OPTIONS, now: 0 }).rows![0]!.cells;
}
