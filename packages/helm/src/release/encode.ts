/** Between a release and the text inside its Secret: JSON, gzipped, as base64 (which Kubernetes wraps in base64 once more). */
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Json } from '@capstan/kube';
import { ReleaseError } from './errors.ts';
import type { Hook, Release, ReleaseInfo } from './release.ts';

/** A Secret holds no more than this in all its values (`MaxSecretSize` of Kubernetes). */
const LARGEST = 1024 * 1024;
/** Unpacked, a record may be large, but not without bound: whoever may write Secrets must not be able to fill our memory. */
const LARGEST_UNPACKED = 256 * 1024 * 1024;

/**
 * The text to store. A record that is too large loses, in this order, what Helm never reads again: the chart's plain files, its
 * templates, its schema. Values, manifest and hooks stay: upgrades, rollbacks and uninstalls stand on them.
 */
export function encodeRelease(release: Release): string {
  const before = encoded.get(release);
  if (before !== undefined) return before;
  for (const smaller of [release, ...slimmer(release)]) {
    const text = pack(smaller);
    if (text.length > LARGEST) continue;
    encoded.set(release, text);
    return text;
  }
  throw new ReleaseError(
    'ReleaseTooLarge',
    `the record of release ${release.name} is larger than a Secret may be (1 MiB), even without the chart's files: ` +
      'split the chart, or move large values out of it. Nothing was changed',
  );
}

/** A record is checked before it is written, and written anew whenever its lease is renewed. */
const encoded = new WeakMap<Release, string>();

function* slimmer(release: Release): Generator<Release> {
  const { chart } = release;
  if (!chart) return;
  yield { ...release, chart: { ...chart, files: [] } };
  yield { ...release, chart: { ...chart, files: [], templates: [] } };
  yield { ...release, chart: { ...chart, files: [], templates: [], schema: null } };
}

function pack({ labels: _, ...stored }: Release): string {
  return gzipSync(JSON.stringify(stored), { level: 9 }).toString('base64');
}

/** Reads what Helm 3, Helm 4 or we wrote; before Helm compressed records, they were plain JSON. */
export function decodeRelease(text: string): Release {
  const bytes = Buffer.from(text, 'base64');
  const zipped = bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 0x08;
  let parsed: unknown;
  try {
    parsed = JSON.parse((zipped ? gunzipSync(bytes, { maxOutputLength: LARGEST_UNPACKED }) : bytes).toString('utf8'));
  } catch (error) {
    throw new ReleaseError('CorruptRelease', 'the record is not a release', { cause: error });
  }
  return checked(parsed);
}

function checked(value: unknown): Release {
  const release = value as Partial<Release> | null;
  const sound =
    typeof release === 'object' &&
    release !== null &&
    typeof release.name === 'string' &&
    Number.isInteger(release.version);
  if (!sound) throw new ReleaseError('CorruptRelease', 'the record is not a release: it has no name or no version');
  const info: Partial<ReleaseInfo> = release.info ?? {};
  return {
    ...release,
    namespace: release.namespace ?? '',
    info: withoutEmptyTimes({ ...info, status: info.status ?? 'unknown' }),
    ...(release.hooks && { hooks: release.hooks.map(completeHook) }),
  } as Release;
}

/** Helm 3 writes the empty string for a moment that never was. */
function withoutEmptyTimes(info: ReleaseInfo): ReleaseInfo {
  const { deleted, first_deployed, last_deployed, ...rest } = info;
  return {
    ...(first_deployed && { first_deployed }),
    ...(last_deployed && { last_deployed }),
    ...(deleted && { deleted }),
    ...rest,
  };
}

function completeHook(hook: Hook): Hook {
  const { started_at, completed_at, phase = '' } = hook.last_run ?? {};
  return {
    ...hook,
    events: hook.events ?? [],
    manifest: hook.manifest ?? '',
    last_run: { ...(started_at && { started_at }), ...(completed_at && { completed_at }), phase },
  };
}

/** The keys of a map in one order, at every depth: equal data give equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, field: Json) =>
    typeof field === 'object' && field !== null && !Array.isArray(field)
      ? Object.fromEntries(Object.entries(field).sort(([left], [right]) => (left < right ? -1 : 1)))
      : field,
  );
}
