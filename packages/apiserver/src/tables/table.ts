/**
 * `Table` of meta.k8s.io: objects as rows of cells, which is what `kubectl get` prints. The server knows best how a kind is
 * shown, so clients need not know the kind at all.
 */
import { deepClone, type KubeObject, type ListMeta, type Sparse } from '@capstan/kube';
import type { Draft, KindDefinition } from '../kind.ts';
import type { Entry } from '../store/entry.ts';
import { type Cell, type ColumnDefinition, columnDefinition, type Printer, type RowCondition } from './printer.ts';
import { printerOf } from './printers.ts';

export type IncludeObject = 'None' | 'Metadata' | 'Object';

export interface TableOptions {
  /** Milliseconds since the epoch: ages are counted from here. */
  readonly now: number;
  /** Of each object in its row: nothing, a PartialObjectMetadata, or all of it. */
  readonly include: IncludeObject;
  /** Of meta.k8s.io, which the client asked for. */
  readonly version: 'v1' | 'v1beta1';
  /** False for all but the first event of a watch. */
  readonly withDefinitions: boolean;
}

export interface Table {
  readonly kind: 'Table';
  readonly apiVersion: string;
  readonly metadata: ListMeta;
  readonly columnDefinitions: readonly ColumnDefinition[] | null;
  readonly rows: readonly TableRow[] | null;
}

export interface TableRow {
  readonly cells: readonly Cell[];
  readonly conditions?: readonly RowCondition[];
  readonly object: object | null;
}

/** A page of a list as a table. */
export function tableOf(
  kind: KindDefinition,
  entries: readonly Entry[],
  metadata: ListMeta,
  options: TableOptions,
): Table {
  const objects = entries.map(entry => entry.object as unknown as KubeObject);
  const { continue: next, ...rest } = metadata;
  // A list of custom resources has an empty token on its last page, a table has none.
  return print(printerOf(kind), kind, objects, objects, next ? { ...rest, continue: next } : rest, options);
}

/** One object as a table of one row. */
export function tableOfObject(kind: KindDefinition, object: KubeObject, options: TableOptions): Table {
  return print(printerOf(kind), kind, [object], [], versionOf(object), options);
}

/** A bookmark of a watch: an object of which nothing but the version is known, so there is nothing to convert. */
export function tableOfBookmark(kind: KindDefinition, bookmark: KubeObject, options: TableOptions): Table {
  return tableBy(printerOf(kind), bookmark, options);
}

/** An object that no kind stands for (`Scale`) as a table of one row. */
export function tableBy<T extends KubeObject>(printer: Printer<T>, object: T, options: TableOptions): Table {
  return print(printer, undefined, [object], [], versionOf(object), options);
}

function versionOf({ metadata }: KubeObject): ListMeta {
  return metadata.resourceVersion === undefined ? {} : { resourceVersion: metadata.resourceVersion };
}

function print<T extends KubeObject>(
  printer: Printer<T>,
  kind: KindDefinition | undefined,
  objects: readonly T[],
  list: readonly KubeObject[],
  metadata: ListMeta,
  options: TableOptions,
): Table {
  const context = { now: options.now, list };
  const rows = objects.map((object): TableRow => {
    const shown = asPrinted(kind, object) as Sparse<T>;
    const conditions = printer.conditions?.(shown) ?? [];
    return {
      cells: printer.columns.map(column => column.cell(shown, context)),
      ...(conditions.length > 0 && { conditions }),
      object: included(object, options),
    };
  });
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${options.version}`,
    metadata,
    columnDefinitions: options.withDefinitions || printer.alwaysDefines ? definitionsOf(printer) : null,
    rows: rows.length === 0 && printer.nullWhenEmpty ? null : rows,
  };
}

/** Built-in kinds are printed in the version that is stored: it has the fields of all others. */
function asPrinted(kind: KindDefinition | undefined, object: KubeObject): object {
  if (kind?.toStorage === undefined || kind.custom) return object;
  return kind.toStorage(deepClone(object) as unknown as Draft);
}

function included(object: KubeObject, { include, version }: TableOptions): object | null {
  switch (include) {
    case 'None':
      return null;
    case 'Metadata':
      return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: object.metadata };
    case 'Object':
      return object;
  }
}

const definitions = new WeakMap<object, readonly ColumnDefinition[]>();

function definitionsOf<T extends KubeObject>(printer: Printer<T>): readonly ColumnDefinition[] {
  let known = definitions.get(printer);
  if (!known) definitions.set(printer, (known = printer.columns.map(columnDefinition)));
  return known;
}
