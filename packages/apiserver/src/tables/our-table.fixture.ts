/** Our table of the objects that a recording shows. */

import { kindDefinitions } from '../crd/index.ts';
import type { KindDefinition } from '../kind.ts';
import { Kinds } from '../kinds.ts';
import { Entry } from '../store/entry.ts';
import type { Recording } from './recorded-tables.fixture.ts';
import { type Table, tableOf } from './table.ts';

/** The built-in kinds, and those of the CustomResourceDefinitions among the recordings. */
export function kindsOf(recordings: readonly Recording[]): (recording: Recording) => KindDefinition {
  const kinds = new Kinds();
  const definitions = recordings.find(({ plural }) => plural === 'customresourcedefinitions')?.items ?? [];
  for (const definition of definitions) kinds.serve(definition.metadata.name!, kindDefinitions(definition));
  return ({ group, version, plural }) => kinds.find(group, version, plural)!;
}

export function ourTable(kind: KindDefinition, { now, metadata, items }: Recording): Table {
  const type = { kind: kind.kind, apiVersion: [kind.group, kind.version].filter(part => part !== '').join('/') };
  const entries = items.map((item, index) => Entry.of(String(index), index, { ...item, ...type }));
  return tableOf(kind, entries, metadata, { now, include: 'None', version: 'v1', withDefinitions: true });
}
