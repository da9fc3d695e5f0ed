/** Which kinds a server has: from `kind` to `Resource` and back, remembered and refreshed. */
import type { Client } from '../client/client.ts';
import { type Clock, systemClock } from '../clock.ts';
import { ApiError } from '../errors.ts';
import {
  type AggregatedDiscovery,
  type DiscoveredResource,
  fromAggregated,
  fromPlain,
  type PlainResources,
} from './document.ts';

export interface DiscoveryOptions {
  readonly clock?: Clock;
  /** Milliseconds after which what is known is asked for anew. Default: 10 min, as kubectl. */
  readonly maxAge?: number;
  /** When something is not found, it may be new: ask again if what is known is at least this old. Default: 5 s. */
  readonly missAge?: number;
  /** Told of groups that could not be asked (their server is away); what the others have is known nevertheless. */
  readonly onPartialFailure?: (groupVersion: string, error: ApiError) => void;
}

export interface Discovery {
  /** Everything there is, the preferred version of a group first. */
  resources(): Promise<readonly DiscoveredResource[]>;
  /**
   * The resource for the `apiVersion` and `kind` of an object.
   *
   * @example await discovery.forKind('apps/v1', 'Deployment')
   */
  forKind(apiVersion: string, kind: string): Promise<DiscoveredResource | undefined>;
  /** What a person means by a word, as kubectl understands it: `po`, `deployment`, `tasks.robots.example.com`, `Pod`. */
  forWord(word: string): Promise<DiscoveredResource | undefined>;
  /** Forget: the next question asks the server. */
  invalidate(): void;
}

const ACCEPT_AGGREGATED = ['v2', 'v2beta1']
  .map(version => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .concat('application/json')
  .join(',');

export function createDiscovery(client: Pick<Client, 'request'>, options: DiscoveryOptions = {}): Discovery {
  const { clock = systemClock, maxAge = 600_000, missAge = 5_000, onPartialFailure = () => {} } = options;
  let known: { readonly resources: readonly DiscoveredResource[]; readonly at: number } | undefined;
  let asking: Promise<readonly DiscoveredResource[]> | undefined;

  const ask = (): Promise<readonly DiscoveredResource[]> => {
    asking ??= discover(client, onPartialFailure)
      .then(resources => {
        known = { resources, at: clock.monotonic() };
        return resources;
      })
      .finally(() => {
        asking = undefined;
      });
    return asking;
  };
  const resources = async (oldest = maxAge): Promise<readonly DiscoveredResource[]> =>
    known !== undefined && clock.monotonic() - known.at < oldest ? known.resources : ask();
  const find = async (
    choose: (all: readonly DiscoveredResource[]) => DiscoveredResource | undefined,
  ): Promise<DiscoveredResource | undefined> => choose(await resources()) ?? choose(await resources(missAge));

  return {
    resources: () => resources(),
    forKind: (apiVersion, kind) => find(all => all.find(each => each.kind === kind && versionOf(each) === apiVersion)),
    forWord: word => find(all => matchWord(all, word)),
    invalidate() {
      known = undefined;
    },
  };
}

async function discover(
  client: Pick<Client, 'request'>,
  onPartialFailure: (groupVersion: string, error: ApiError) => void,
): Promise<DiscoveredResource[]> {
  const get = async (path: string): Promise<unknown> =>
    (await client.request({ method: 'GET', path, headers: { accept: ACCEPT_AGGREGATED } })).body;
  const [core, groups] = await Promise.all([get('/api'), get('/apis')]);
  if (isAggregated(core) && isAggregated(groups)) return [...fromAggregated(core), ...fromAggregated(groups)];
  const asked = [...coreVersions(core), ...groupVersions(groups)];
  const found = await Promise.all(
    asked.map(async ({ group, version, path }) => {
      try {
        return fromPlain(group, version, (await get(path)) as PlainResources);
      } catch (error) {
        // A group whose own server is away must not hide the rest.
        if (!(error instanceof ApiError)) throw error;
        onPartialFailure(group === '' ? version : `${group}/${version}`, error);
        return [];
      }
    }),
  );
  return found.flat();
}

function isAggregated(body: unknown): body is AggregatedDiscovery {
  return (body as { kind?: unknown })?.kind === 'APIGroupDiscoveryList';
}

interface GroupVersionPath {
  readonly group: string;
  readonly version: string;
  readonly path: string;
}

function coreVersions(body: unknown): GroupVersionPath[] {
  const { versions = [] } = body as { versions?: readonly string[] };
  return versions.map(version => ({ group: '', version, path: `/api/${version}` }));
}

interface PlainGroup {
  readonly name: string;
  readonly versions: readonly { readonly version: string }[];
  readonly preferredVersion?: { readonly version: string };
}

function groupVersions(body: unknown): GroupVersionPath[] {
  const { groups = [] } = body as { groups?: readonly PlainGroup[] };
  return groups.flatMap(({ name, versions, preferredVersion }) => {
    const listed = versions.map(({ version }) => version);
    const ordered = new Set([preferredVersion?.version ?? listed[0]!, ...listed]);
    return [...ordered].map(version => ({ group: name, version, path: `/apis/${name}/${version}` }));
  });
}

const versionOf = ({ group, version }: DiscoveredResource): string => (group === '' ? version : `${group}/${version}`);

/** `word`, `word.group` or `word.version.group`; plurals before singulars, short names and kinds, the first group winning. */
function matchWord(all: readonly DiscoveredResource[], word: string): DiscoveredResource | undefined {
  const lower = word.toLowerCase();
  const [name = '', ...rest] = lower.split('.');
  const suffix = rest.join('.');
  const candidates = all.filter(
    each => suffix === '' || each.group === suffix || `${each.version}.${each.group}` === suffix,
  );
  return (
    candidates.find(each => each.plural === name) ??
    candidates.find(each => each.singular === name) ??
    candidates.find(each => each.shortNames.includes(name)) ??
    candidates.find(each => each.kind.toLowerCase() === name)
  );
}
