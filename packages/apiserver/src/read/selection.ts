/** Which objects of a kind a list, watch or deletecollection is about. */
import { type FieldMatcher, type LabelMatcher, parseFieldSelector, parseLabelSelector } from '@capstan/kube';
import type { KindDefinition, Stored } from '../kind.ts';
import { badRequest } from '../status.ts';

export interface Selection {
  /** Keys begin with this: `namespace/` or nothing. */
  readonly prefix: string;
  /** Set when a field selector pins the name: then one lookup is enough. */
  readonly name: string | undefined;
  /** False when every object in `prefix` is selected. */
  readonly filtered: boolean;
  matches(object: Stored): boolean;
}

export function selection(kind: KindDefinition, namespace: string | undefined, query: URLSearchParams): Selection {
  const labels = read(query, 'labelSelector', parseLabelSelector);
  const fields = read(query, 'fieldSelector', parseFieldSelector);
  if (fields) refuseUnknownFields(kind, fields);
  return {
    prefix: namespace === undefined ? '' : `${namespace}/`,
    name: fields?.requirements.find(one => one.field === 'metadata.name' && one.operator === '=')?.value,
    filtered: labels !== undefined || fields !== undefined,
    matches: object =>
      (!labels || labels.matches(object.metadata.labels ?? {})) &&
      (!fields || fields.matches(field => fieldValue(kind, object, field))),
  };
}

function read<M extends LabelMatcher | FieldMatcher>(
  query: URLSearchParams,
  parameter: 'labelSelector' | 'fieldSelector',
  parse: (text: string) => M,
): M | undefined {
  const text = query.get(parameter);
  if (!text) return undefined;
  try {
    return parse(text);
  } catch (error) {
    throw badRequest((error as Error).message);
  }
}

function refuseUnknownFields(kind: KindDefinition, fields: FieldMatcher): void {
  for (const { field } of fields.requirements) {
    if (field !== 'metadata.name' && !isSelectable(kind, field)) throw badRequest(notSelectable(kind, field));
  }
}

/** Kinds that say which fields they are selected by take no others; the rest take the two of the metadata. */
const namesItsFields = (kind: KindDefinition): boolean => kind.custom || Object.keys(kind.selectableFields).length > 0;

function isSelectable(kind: KindDefinition, field: string): boolean {
  if (field === 'metadata.namespace') return kind.namespaced || !namesItsFields(kind);
  return Object.hasOwn(kind.selectableFields, field);
}

function notSelectable(kind: KindDefinition, field: string): string {
  if (!namesItsFields(kind)) {
    return `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
  }
  const isJob = kind.group === 'batch' && kind.kind === 'Job';
  return isJob ? `field label ${JSON.stringify(field)} not supported for Job` : `field label not supported: ${field}`;
}

function fieldValue(kind: KindDefinition, object: Stored, field: string): string {
  if (field === 'metadata.name') return object.metadata.name ?? '';
  if (field === 'metadata.namespace') return object.metadata.namespace ?? '';
  return kind.selectableFields[field]!(object);
}
