/** What is different between two states of an object, field by field. */
import { deepEqual } from '@capstan/kube';

export interface FieldChange {
  /** `spec.replicas`, `spec.template.spec.containers[name=web].image`. */
  readonly path: string;
  /** Undefined where there was nothing. */
  readonly before?: unknown;
  /** Undefined where there will be nothing. */
  readonly after?: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

export function fieldChanges(before: unknown, after: unknown, path = ''): FieldChange[] {
  if (deepEqual(before, after)) return [];
  if (isFields(before) && isFields(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return keys.flatMap(key => fieldChanges(before[key], after[key], path === '' ? key : `${path}.${key}`));
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const named = namedBy(before, after);
    if (named) return itemChanges(before, after, named, path);
  }
  return [{ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }];
}

/** Lists whose items have names are compared name by name: an item that moved is not a change of all that follow. */
function namedBy(...lists: readonly (readonly unknown[])[]): string | undefined {
  return ['name', 'mountPath', 'containerPort', 'port', 'key', 'type'].find(key =>
    lists.every(list => {
      const names = list.map(item => (isFields(item) ? item[key] : undefined));
      return names.every(name => name !== undefined) && new Set(names).size === names.length;
    }),
  );
}

function itemChanges(before: readonly unknown[], after: readonly unknown[], key: string, path: string): FieldChange[] {
  const byName = (items: readonly unknown[]) => new Map(items.map(item => [(item as Fields)[key], item]));
  const [old, fresh] = [byName(before), byName(after)];
  return [...new Set([...old.keys(), ...fresh.keys()])].flatMap(name =>
    fieldChanges(old.get(name), fresh.get(name), `${path}[${key}=${String(name)}]`),
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object without what changes by itself. */
export function comparable(object: Fields): Fields {
  const { metadata, status: _, ...rest } = object;
  const {
    managedFields: _a,
    resourceVersion: _b,
    generation: _c,
    uid: _d,
    creationTimestamp: _e,
    ...stable
  } = (metadata ?? {}) as Fields;
  return { ...rest, metadata: stable };
}

/** Secrets are told apart, never shown. */
export function withoutSecrets(object: Fields, changes: readonly FieldChange[]): FieldChange[] {
  if (object['kind'] !== 'Secret') return [...changes];
  return changes.map(({ path, before, after }) => {
    if (!/^(data|stringData)(\.|$)/.test(path)) return { path, before, after };
    return {
      path,
      ...(before !== undefined && { before: '(hidden)' }),
      ...(after !== undefined && { after: '(hidden)' }),
    };
  });
}
