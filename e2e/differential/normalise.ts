import type { Result } from './run.ts';
import { sortCauses } from './sort-causes.ts';
import { type UniqueValues, uniqueValues } from './unique-values.ts';

/** An answer without what differs from run to run; this is what fixtures hold. */
export interface Normalised {
  readonly title: string;
  readonly request: string;
  readonly status?: number;
  readonly contentType?: string;
  readonly warnings?: readonly string[];
  readonly body?: unknown;
  readonly events?: readonly unknown[];
}

type Rewrite = (key: string, value: unknown, parent: Readonly<Record<string, unknown>>) => unknown;

/**
 * Replaces uids, versions, times, generated names and allocated addresses by stable ones.
 *
 * Versions keep their order: the third version that the Pod `web` had becomes `Pod web@3`, and the version of a list or a
 * bookmark, which a real server's own writes push on, becomes `≥Pod web@3` after the last one that it includes.
 */
export function normalise(results: readonly Result[]): Normalised[] {
  const unique = uniqueValues(results.map(result => result.answer?.body ?? result.events));
  const rewrite: Rewrite = (key, value, parent) => {
    if (typeof value === 'number') return isAllocatedPort(key) ? '<port>' : value;
    if (typeof value !== 'string') return value;
    if (key === 'resourceVersion') return versionOf(value, parent, unique);
    if (key === 'uid') return unique.uid(value);
    if (key === 'continue') return value === '' ? '' : '<continue>';
    if (key === 'cells' && /^\d+s$/.test(value)) return '<age>';
    if (isTime(key) && /^\d{4}-\d\d-\d\dT/.test(value)) return '<time>';
    if (/^10\.96\.\d+\.\d+$/.test(value)) return '<cluster address>';
    return unique.inText(value);
  };
  return results.map(({ title, request, answer, events }) => {
    if (answer === undefined)
      return { title, request, events: events.map(event => walk('', event, {}, rewrite)) as unknown[] };
    const body = sortCauses(walk('', answer.body, {}, rewrite));
    const { status, contentType, warnings } = answer;
    return { title, request, status, contentType, ...(warnings.length > 0 && { warnings }), body };
  });
}

function walk(key: string, value: unknown, parent: Readonly<Record<string, unknown>>, rewrite: Rewrite): unknown {
  if (Array.isArray(value)) {
    const items = value.map(item => walk(key, item, parent, rewrite));
    return key === 'managedFields' ? byManager(items) : items;
  }
  if (typeof value !== 'object' || value === null) return rewrite(key, value, parent);
  const record = value as Readonly<Record<string, unknown>>;
  // Keys of managedFields name list items by their uid, too.
  const keyOf = (name: string) => (name.startsWith('k:') ? String(rewrite('', name, record)) : name);
  return Object.fromEntries(
    Object.entries(record).map(([name, item]) => [keyOf(name), walk(name, item, record, rewrite)]),
  );
}

/**
 * Managers by name. A server orders them by the second of their last write, which is another in each run; and with names as
 * keys a manager too many does not make all others look different.
 */
function byManager(entries: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(
    entries
      .map(entry => {
        const { manager, operation, apiVersion, subresource, ...rest } = entry as Record<string, unknown>;
        return [[manager, operation, apiVersion, subresource].filter(Boolean).join(' '), rest] as const;
      })
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** Times that the server sets. Others are a user's own values and have to come back as they were given. */
const isTime = (key: string): boolean => serverTimes.has(key);
const serverTimes = new Set([
  'creationTimestamp',
  'deletionTimestamp',
  'lastTransitionTime',
  'lastUpdateTime',
  'lastPhaseTransitionTime',
  'time',
]);

const isAllocatedPort = (key: string): boolean => key === 'nodePort' || key === 'healthCheckNodePort';

/** The metadata of a list has no name; that of a bookmark has none either. */
function versionOf(value: string, { name, uid }: Readonly<Record<string, unknown>>, unique: UniqueValues): string {
  return name === undefined ? unique.collectiveVersion(value) : unique.version(value, String(uid));
}
