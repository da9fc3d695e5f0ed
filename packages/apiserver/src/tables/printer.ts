/** What a kind looks like as a table: its columns, each with the way to its cell. */
import type { KubeObject, Sparse } from '@capstan/kube';
import { fieldDescription } from '../builtins/descriptions.ts';
import { since } from './duration.ts';

export type Cell = string | number | boolean | null;

/** What a cell may depend on besides its own object. */
export interface PrintContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The objects of the list that is shown; empty where a single object is, or an event of a watch. */
  readonly list: readonly KubeObject[];
}

export interface Column<T extends KubeObject> {
  readonly name: string;
  /** `string` where absent. Clients use it to align and to format; cells need not be of it, as in Kubernetes. */
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** `name` for the column that names the object. */
  readonly format?: string;
  /** Shown with `-o wide` only: short for a priority of 1. */
  readonly wide?: true;
  /** 0, which is always shown, where neither this nor `wide` is said. */
  readonly priority?: number;
  readonly description: string | DescribedField;
  readonly cell: (object: Sparse<T>, context: PrintContext) => Cell;
}

/** Stands for the description of a field of the API. */
export interface DescribedField {
  readonly type: string;
  readonly field: string;
}

export interface Printer<T extends KubeObject = KubeObject> {
  readonly columns: readonly Column<T>[];
  /** What clients should know about a row as a whole, e.g. that it is done. */
  readonly conditions?: (object: Sparse<T>) => readonly RowCondition[];
  /** Kubernetes has printers whose table of nothing has `null` for its rows. */
  readonly nullWhenEmpty?: true;
  /** Column definitions come with every event of a watch, not with the first one only. */
  readonly alwaysDefines?: true;
}

export interface RowCondition {
  readonly type: 'Completed';
  readonly status: 'True';
  readonly reason: string;
  readonly message: string;
}

/** As it goes out. */
export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

/** Describes a column by a field of the API: `fieldOf('core.v1.PodStatus', 'podIP')`. */
export const fieldOf = (type: string, field: string): DescribedField => ({ type: `io.k8s.api.${type}`, field });

const metadataField = (field: string): DescribedField => ({
  type: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
  field,
});

export const NAME: Column<KubeObject> = {
  name: 'Name',
  format: 'name',
  description: metadataField('name'),
  cell: ({ metadata }) => metadata?.name ?? '',
};

export const AGE: Column<KubeObject> = {
  name: 'Age',
  description: metadataField('creationTimestamp'),
  cell: ({ metadata }, { now }) => since(metadata?.creationTimestamp, now),
};

/** Go's zero time, which is what an object without a time of creation has. */
const NEVER = '0001-01-01T00:00:00Z';

export const CREATED_AT: Column<KubeObject> = {
  name: 'Created At',
  type: 'date',
  description: metadataField('creationTimestamp'),
  cell: ({ metadata }) => metadata?.creationTimestamp ?? NEVER,
};

/** For kinds that nobody made a printer for. */
export const plainPrinter: Printer = { columns: [NAME, CREATED_AT], nullWhenEmpty: true };

export function columnDefinition<T extends KubeObject>(column: Column<T>): ColumnDefinition {
  const { name, type = 'string', format = '', wide, priority = wide ? 1 : 0, description } = column;
  return {
    name,
    type,
    format,
    description: typeof description === 'string' ? description : fieldDescription(description.type, description.field),
    priority,
  };
}
