/** Releases in the Secrets of a namespace, where Helm keeps them: `sh.helm.release.v1.<name>.v<revision>`. */
import {
  type Client,
  type Clock,
  isAlreadyExists,
  isConflict,
  isNotFound,
  type Secret,
  secrets,
  TransportError,
} from '@capstan/kube';
import { decodeRelease, encodeRelease } from './encode.ts';
import { ReleaseError } from './errors.ts';
import { JOURNAL_ANNOTATION, type Journal, journalText, parseJournal } from './journal.ts';
import type { Release } from './release.ts';

const TYPE = 'helm.sh/release.v1';
const SYSTEM_LABELS: ReadonlySet<string> = new Set(['name', 'owner', 'status', 'version', 'createdAt', 'modifiedAt']);

/** How often a Secret that others touch is read anew before that counts as losing it. */
const ATTEMPTS = 5;

/** A release with the version of the Secret that it was read from: what is written next is guarded by it. */
export interface StoredRelease {
  readonly release: Release;
  readonly journal?: Journal;
  readonly resourceVersion: string;
  /** Seconds since the epoch: when the record was last written, as far as its labels tell. */
  readonly writtenAt: number;
  readonly createdAt?: string;
}

export interface ListReleases {
  /** Labels of the user, as a selector. */
  readonly selector?: string | undefined;
  readonly allNamespaces?: boolean | undefined;
}

export interface ReleaseStore {
  readonly namespace: string;
  get(name: string, version: number): Promise<StoredRelease>;
  /** All revisions of a release, oldest first; empty if there are none. */
  history(name: string): Promise<readonly StoredRelease[]>;
  /** Every revision of every release. Records that cannot be read are left out. */
  list(options?: ListReleases): Promise<readonly StoredRelease[]>;
  /** Fails with `HeldByAnother` if someone else has just made this revision. */
  create(release: Release, journal: Journal): Promise<StoredRelease>;
  /** Fails with `LeaseLost` if someone else has written since. */
  update(stored: StoredRelease, release: Release, journal: Journal | undefined): Promise<StoredRelease>;
  remove(release: Release): Promise<void>;
}

export function secretName(name: string, version: number): string {
  return `sh.helm.release.v1.${name}.v${version}`;
}

export function createReleaseStore(client: Client, namespace: string, clock: Clock): ReleaseStore {
  const now = (): string => String(Math.floor(clock.now() / 1000));

  const get = async (name: string, version: number): Promise<StoredRelease> => {
    try {
      return stored(await client.get(secrets, { namespace, name: secretName(name, version) }));
    } catch (error) {
      if (!isNotFound(error)) throw error;
      throw new ReleaseError('ReleaseNotFound', `release: not found: ${name} has no revision ${version}`);
    }
  };

  return {
    namespace,
    get,

    async history(name) {
      const { items } = await client.list(secrets, { namespace, labels: { name, owner: 'helm' } });
      return readable(items).sort((left, right) => left.release.version - right.release.version);
    },

    async list({ selector, allNamespaces } = {}) {
      const labels = selector ? `owner=helm,${selector}` : 'owner=helm';
      const { items } = await client.listAll(secrets, {
        labels,
        limit: 500,
        ...(allNamespaces ? {} : { namespace }),
      });
      return readable(items);
    },

    async create(release, journal) {
      const secret = secretOf(release, journal, { createdAt: now() });
      try {
        return stored(await client.create(secrets, secret, { owner: 'helm', retry: 'idempotent' }));
      } catch (error) {
        if (!isAlreadyExists(error) && !(error instanceof TransportError)) throw error;
        const found = await get(release.name, release.version).catch(ignoreNotFound);
        if (found && isSameWork(found, release, journal)) return found;
        if (!isAlreadyExists(error)) throw error;
        const message = `another run has just begun revision ${release.version} of release ${release.name}`;
        throw new ReleaseError('HeldByAnother', message, { cause: error });
      }
    },

    async update(before, release, journal) {
      const labels = { ...(before.createdAt !== undefined && { createdAt: before.createdAt }), modifiedAt: now() };
      const secret = secretOf(release, journal, labels);
      for (let current = before, attempt = 1; ; attempt++) {
        const metadata = { ...secret.metadata, resourceVersion: current.resourceVersion };
        try {
          return stored(await client.update(secrets, { ...secret, metadata } as Secret, { owner: 'helm' }));
        } catch (error) {
          if (!isConflict(error) && !isNotFound(error) && !(error instanceof TransportError)) throw error;
          const found = await get(release.name, release.version).catch(ignoreNotFound);
          if (found && isSameWork(found, release, journal)) return found;
          if (error instanceof TransportError) throw error;
          // Someone touched the Secret, a label say, but not what it tells: the release is still ours.
          const untouched = found && attempt < ATTEMPTS && isStillHeld(found, before);
          if (!untouched) {
            const message = `someone else has changed revision ${release.version} of release ${release.name}: this run stops`;
            throw new ReleaseError('LeaseLost', message, { cause: error });
          }
          current = found;
        }
      }
    },

    async remove({ name, version }) {
      const place = { namespace, name: secretName(name, version) };
      await client.delete(secrets, place, { retry: 'idempotent' }).catch(ignoreNotFound);
    },
  };

  function secretOf(release: Release, journal: Journal | undefined, times: Readonly<Record<string, string>>) {
    const { name, version, info, labels } = release;
    return {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: secretName(name, version),
        namespace,
        labels: { ...labels, ...times, name, owner: 'helm', status: info.status, version: String(version) },
        ...(journal && { annotations: { [JOURNAL_ANNOTATION]: journalText(journal) } }),
      },
      type: TYPE,
      data: { release: Buffer.from(encodeRelease(release)).toString('base64') },
    };
  }
}

/** A write whose answer was lost, or whose repetition was refused, may have happened: the journal tells. */
function isSameWork(found: StoredRelease, release: Release, journal: Journal | undefined): boolean {
  return (
    found.journal?.id === journal?.id &&
    found.journal?.sequence === journal?.sequence &&
    found.journal?.lease?.holder === journal?.lease?.holder &&
    found.release.info.status === release.info.status
  );
}

function isStillHeld(found: StoredRelease, before: StoredRelease): boolean {
  const lease = before.journal?.lease;
  return (
    lease !== undefined &&
    found.journal?.lease?.holder === lease.holder &&
    found.journal.sequence === before.journal?.sequence
  );
}

function readable(items: readonly Secret[]): StoredRelease[] {
  return items.flatMap(secret => {
    try {
      return [stored(secret)];
    } catch (error) {
      // As Helm: one broken record must not hide the others.
      if (error instanceof ReleaseError) return [];
      throw error;
    }
  });
}

function stored(secret: Secret): StoredRelease {
  const { metadata, data } = secret;
  const labels = metadata.labels ?? {};
  const text = Buffer.from(data?.['release'] ?? '', 'base64').toString('latin1');
  const journal = parseJournal(metadata.annotations);
  const own = Object.entries(labels).filter(([key]) => !SYSTEM_LABELS.has(key));
  const { createdAt, modifiedAt } = labels;
  const release = decodeRelease(text);
  return {
    release: {
      ...release,
      namespace: release.namespace || metadata.namespace!,
      ...(own.length > 0 && { labels: Object.fromEntries(own) }),
    },
    ...(journal && { journal }),
    resourceVersion: metadata.resourceVersion!,
    writtenAt: Number(modifiedAt ?? createdAt ?? 0),
    ...(createdAt !== undefined && { createdAt }),
  };
}

export function isSystemLabel(key: string): boolean {
  return SYSTEM_LABELS.has(key);
}

function ignoreNotFound(error: unknown): undefined {
  if (isNotFound(error) || (error instanceof ReleaseError && error.code === 'ReleaseNotFound')) return undefined;
  throw error;
}
