/** Every action is killed before and after each of its writes; the next run has to bring it to the same end. */
import {
  type Client,
  configMaps,
  createClient,
  type DynamicObject,
  isNotFound,
  isTransient,
  type Job,
  jobs,
  secrets,
} from '@capstan/kube';
import { explore, type Fault, report, type Scenario, type World } from '@capstan/lab';
import { describe, expect, it } from 'vitest';
import { decodeRelease } from '../release/encode.ts';
import type { ReleaseError } from '../release/errors.ts';
import { chartOf, configMap, job, plainRenderer as render } from './chart.fixture.ts';
import { createHelm, type Helm } from './context.ts';
import { install } from './install.ts';
import { rollback } from './rollback.ts';
import { uninstall } from './uninstall.ts';
import { upgrade } from './upgrade.ts';

const hook = (name: string, events: string, policy = 'before-hook-creation') =>
  job(name, { 'helm.sh/hook': events, 'helm.sh/hook-delete-policy': policy });

const first = chartOf({
  version: '1.0.0',
  documents: [
    configMap('settings', 'revision: "$REVISION"'),
    configMap('only-in-first'),
    hook('prepare', 'pre-install,pre-upgrade,pre-rollback,pre-delete'),
    hook('finish', 'post-install,post-upgrade,post-rollback,post-delete', 'hook-succeeded'),
  ],
});
const second = chartOf({
  version: '2.0.0',
  documents: [
    configMap('settings', 'revision: "$REVISION"'),
    configMap('only-in-second'),
    hook('prepare', 'pre-upgrade,pre-rollback,pre-delete'),
    hook('finish', 'post-upgrade,post-delete', 'hook-succeeded'),
  ],
});

/** Stands in for the Job controller and a node: every Job ends well as soon as it is seen. */
async function completeJobs(client: Client): Promise<void> {
  const complete = async (job: Job): Promise<void> => {
    if (job.status?.conditions?.length) return;
    const at = '2026-01-01T00:00:00Z';
    const condition = (type: string) => ({ type, status: 'True' as const, lastTransitionTime: at, lastProbeTime: at });
    const status = {
      startTime: at,
      completionTime: at,
      succeeded: 1,
      conditions: [condition('SuccessCriteriaMet'), condition('Complete')],
    };
    await client.updateStatus(jobs, { ...job, status } as Job).catch(error => {
      if (!isNotFound(error) && (error as { code?: number }).code !== 409) throw error;
    });
  };
  for (;;) {
    try {
      const list = await client.list(jobs, { namespace: 'default' });
      for (const job of list.items) await complete(job);
      for await (const event of client.watch(jobs, { namespace: 'default', from: list.metadata.resourceVersion })) {
        if (event.type === 'ADDED' || event.type === 'MODIFIED') await complete(event.object);
      }
    } catch (error) {
      if (!isTransient(error)) throw error;
    }
  }
}

const worldOf = ({ transport, clock, random }: World): { helm: Helm; client: Client } => {
  const client = createClient({ transport, clock, random });
  return { client, helm: createHelm({ client, namespace: 'default', clock, random }) };
};

/** The end, as a user sees it; and how often each hook ended well, which is what must not happen twice. */
function scenario(
  name: string,
  before: (helm: Helm) => Promise<unknown>,
  act: (helm: Helm) => Promise<unknown>,
): Scenario {
  const ended = new Map<string, Set<string>>();
  return {
    name,
    deadline: 10 * 60_000,
    async arrange(client) {
      void completeJobs(client).catch(() => {});
      await before(createHelm({ client, namespace: 'default' }));
    },
    async start(world) {
      const { client, helm } = worldOf(world);
      void completeJobs(client).catch(() => {});
      await act(helm);
    },
    always({ table, type, object }) {
      const succeeded = (object.status?.conditions ?? []).some(({ type }: { type: string }) => type === 'Complete');
      if (table !== 'batch/jobs' || type === 'DELETED' || !succeeded) return undefined;
      const { name, uid } = object.metadata;
      ended.set(name, (ended.get(name) ?? new Set()).add(uid));
      return undefined;
    },
    async observe(client) {
      const hooks = [...ended].map(([name, uids]) => `${name}: ${uids.size}`).sort();
      ended.clear();
      const maps = (await client.list(configMaps, { namespace: 'default' })).items;
      const records = (await client.list(secrets, { namespace: 'default', labels: { owner: 'helm' } })).items;
      return {
        hooks,
        objects: maps.map(({ metadata, data }) => [metadata.name, data]),
        jobs: (await client.list(jobs, { namespace: 'default' })).items.map(({ metadata }) => metadata.name),
        releases: records.map(({ data, metadata }) => {
          const release = decodeRelease(Buffer.from(data!['release']!, 'base64').toString());
          const journal = JSON.parse(metadata.annotations!['helm.capstan.dev/journal']!) as DynamicObject;
          return [release.version, release.info.status, release.info.description, journal['step'], journal['lease']];
        }),
      };
    },
  };
}

/** Cannot be: the server refuses the Service after the ConfigMaps are written. */
const refused = chartOf({
  version: '3.0.0',
  documents: [
    configMap('settings', 'revision: "$REVISION"'),
    configMap('only-in-refused'),
    'apiVersion: v1\nkind: Service\nmetadata: { name: refused }\nspec: { ports: [{ port: -1 }] }',
  ],
});

const nothing = async (): Promise<void> => {};
const installed = (helm: Helm) => install(helm, { name: 'app', chart: first, values: {}, render });
const upgraded = async (helm: Helm) => {
  await installed(helm);
  await upgrade(helm, { name: 'app', chart: second, values: {}, render });
};

const request = 'r1';
const scenarios = [
  scenario('install', nothing, helm => install(helm, { name: 'app', chart: first, values: {}, render, request })),
  scenario('upgrade', installed, helm => upgrade(helm, { name: 'app', chart: second, values: {}, render, request })),
  scenario('upgrade --install', nothing, helm =>
    upgrade(helm, { name: 'app', chart: first, values: {}, render, request, install: true }),
  ),
  scenario('rollback', upgraded, helm => rollback(helm, { name: 'app', request })),
  scenario('uninstall', upgraded, helm => uninstall(helm, { name: 'app', ignoreNotFound: true })),
];

describe('killed at every write', () => {
  it('an upgrade that fails and goes back is never stuck, and leaves nothing', async () => {
    const base = scenario('upgrade that is rolled back', installed, async helm => {
      // No `expect` here: of a run that was killed nothing ever comes, and it would be waited for.
      const attempt = upgrade(helm, { name: 'app', chart: refused, values: {}, render, rollbackOnFailure: true });
      await attempt.catch(error => {
        if ((error as ReleaseError).code !== 'RolledBack') throw error;
      });
    });
    const result = await explore(
      {
        ...base,
        writeBudget: 60,
        // Asked again after a crash, it is tried again: how many revisions that makes depends on when it was.
        async observe(client) {
          const { objects, releases } = (await base.observe(client)) as { objects: unknown[]; releases: unknown[][] };
          const [last] = releases.toSorted((left, right) => Number(right[0]) - Number(left[0]));
          const pending = releases.filter(([, status]) => String(status).startsWith('pending'));
          return { objects, pending, last: last?.slice(1, 2), lease: last?.[4] };
        },
      },
      { depth: 'singles' },
    );
    expect(result.failures, report(result)).toEqual([]);
  });

  it.each(scenarios)('$name ends as if nothing had happened, and no hook ends well twice', async scenario => {
    const writes = Array.from({ length: 20 }, (_, at) => at + 1);
    // Not 409: an apply that is refused by a conflict has failed by right.
    const also: Fault[][] = writes.flatMap(write => [
      [{ kind: 'lost-answer', write }],
      [{ kind: 'refused', write, code: 429 }],
      [{ kind: 'refused', write, code: 500 }],
      [{ kind: 'watches-expired', write }],
    ]);
    const result = await explore(scenario, { depth: 'singles', also });
    expect(result.failures, report(result)).toEqual([]);
    expect(result.writes).toBeGreaterThan(5);
  });
});
