/** Which objects of a kind a cache holds, as a question to the server and as a test of an object. */
import { type FieldSelection, fieldMatcher, type KubeObject, type LabelSelection, labelMatcher } from '@capstan/kube';

export interface ScopeOptions {
  /** Only these namespaces, each with a list and a watch of its own. All of them when left out. */
  readonly namespaces?: readonly string[] | undefined;
  /** Only what these labels select. */
  readonly labels?: LabelSelection | undefined;
  /** Only what these fields select; the server must know the fields. */
  readonly fields?: FieldSelection | undefined;
}

export interface Scope {
  readonly labelSelector: string | undefined;
  readonly fieldSelector: string | undefined;
  /** Whether the server would send this object (in the right namespace). */
  selects(object: KubeObject): boolean;
}

export function scopeOf({ labels, fields }: ScopeOptions): Scope {
  const byLabels = labels === undefined ? undefined : labelMatcher(labels);
  const byFields = fields === undefined ? undefined : fieldMatcher(fields);
  return {
    labelSelector: byLabels?.toString() || undefined,
    fieldSelector: byFields?.toString() || undefined,
    selects: object =>
      (byLabels === undefined || byLabels.matches(object.metadata.labels)) &&
      (byFields === undefined || byFields.matches(field => readField(object, field))),
  };
}

/** `spec.nodeName` of an object, as the text that field selectors compare. */
function readField(object: KubeObject, field: string): string {
  let value: unknown = object;
  for (const part of field.split('.')) {
    if (typeof value !== 'object' || value === null) return '';
    value = (value as Record<string, unknown>)[part];
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
