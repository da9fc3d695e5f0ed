/** Custom resources: the columns are those of their CustomResourceDefinition, found by JSONPath. */
import { type JsonPath, JsonPathError, type KubeObject, parseJsonPath } from '@capstan/kube';
import { timeProblem } from '../builtins/go-text.ts';
import type { PrinterColumn } from '../crd/types.ts';
import { since } from './duration.ts';
import { AGE, type Cell, type Column, NAME, type Printer } from './printer.ts';

/** What a definition without columns shows beside the name. */
const AGE_AS_DATE: Column<KubeObject> = {
  ...AGE,
  type: 'date',
  cell: ({ metadata }, { now }) => (metadata?.creationTimestamp ? since(metadata.creationTimestamp, now) : null),
};

export function customResourcePrinter(columns: readonly PrinterColumn[] = []): Printer {
  return { columns: [NAME, ...(columns.length === 0 ? [AGE_AS_DATE] : columns.map(customColumn))] };
}

function customColumn(column: PrinterColumn): Column<KubeObject> {
  const { name, type, format, jsonPath, description, priority } = column;
  const path = parseJsonPath(`{${jsonPath}}`);
  return {
    name,
    type: type as NonNullable<Column<KubeObject>['type']>,
    format: format ?? '',
    priority: priority ?? 0,
    description: description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    cell(object, { now }) {
      const found = firstFound(path, object);
      return found === undefined ? null : cellOf(type, found.value, now);
    },
  };
}

/** Of what a path finds only the first counts. A path that does not fit the object finds nothing. */
function firstFound(path: JsonPath, object: unknown): { readonly value: unknown } | undefined {
  try {
    const results = path.find(object)[0] ?? [];
    return results.length === 0 ? undefined : { value: results[0] };
  } catch (error) {
    if (error instanceof JsonPathError) return undefined;
    throw error;
  }
}

/** Values of another type than the column's are not shown. */
function cellOf(type: string, value: unknown, now: number): Cell {
  switch (type) {
    case 'string':
      return textOf(value);
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? dateOf(value, now) : null;
    default:
      return null;
  }
}

const ITSELF = parseJsonPath('{@}');

function textOf(value: unknown): string {
  if (value === null) return '<no value>';
  return typeof value === 'number' ? numberText(value) : ITSELF.print(value);
}

/** What fits into 64 bits is written out; other numbers as Go's shortest `%g`, with an exponent below -4 and from 6 on. */
function numberText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 63) return BigInt(value).toString();
  const [digits, exponent] = value.toExponential().split('e') as [string, string];
  if (Number(exponent) >= -4 && Number(exponent) < 6) return String(value);
  return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
}

function dateOf(text: string, now: number): string {
  if (text === '' || text === 'null') return '<unknown>';
  return timeProblem(text, false) === undefined ? since(text, now) : '<invalid>';
}
