import { type CronJob, cronJobs, jobs, type NewObject, type Pod, type PodStatus } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { jobController } from '../job/index.ts';
import { type Bench, createBench } from '../testing/bench.fixture.ts';
import { running } from '../testing/simulated-pods.fixture.ts';
import { cronJobController } from './index.ts';

const nightly = (spec: Partial<CronJob['spec']> = {}): NewObject<CronJob> => ({
  metadata: { name: 'nightly', namespace: 'default' },
  spec: {
    schedule: '*/5 * * * *',
    jobTemplate: {
      metadata: { labels: { run: 'nightly' } },
      spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'v1' }] } } },
    },
    ...spec,
  },
});

const at = { namespace: 'default', name: 'nightly' };
const succeeded = (): PodStatus => ({ phase: 'Succeeded' });
const createWorld = (status: (pod: Pod, now: number) => PodStatus = succeeded): Promise<Bench> =>
  createBench([cronJobController, jobController], { status });
const minutes = async (bench: Bench): Promise<number[]> => {
  const beginning = Math.floor(Date.UTC(2026, 0, 1) / 60_000);
  return (await bench.all(jobs)).map(({ metadata }) => Number(metadata.name.replace('nightly-', '')) - beginning);
};

describe('a CronJob', () => {
  it('starts a Job at each time, and remembers the last', async () => {
    const bench = await createWorld();
    await bench.client.create(cronJobs, nightly());
    await bench.pass(4 * 60);
    expect(await minutes(bench)).toEqual([]);
    await bench.pass(7 * 60);
    expect(await minutes(bench)).toEqual([5, 10]);
    const [job] = await bench.all(jobs);
    expect(job!.metadata).toMatchObject({
      labels: { run: 'nightly' },
      annotations: { 'batch.kubernetes.io/cronjob-scheduled-timestamp': '2026-01-01T00:05:00Z' },
      ownerReferences: [{ kind: 'CronJob', name: 'nightly', controller: true }],
    });
    const { status } = await bench.get(cronJobs, 'nightly');
    expect(status).toEqual({ lastScheduleTime: '2026-01-01T00:10:00Z', lastSuccessfulTime: '2026-01-01T00:10:00Z' });
    expect(await bench.told('nightly')).toContain(
      `SawCompletedJob: Saw completed job: ${job!.metadata.name}, condition: Complete`,
    );
  });

  it('keeps as many of the Jobs that ended as it is told to', async () => {
    const bench = await createWorld();
    await bench.client.create(cronJobs, nightly({ successfulJobsHistoryLimit: 2 }));
    await bench.pass(31 * 60);
    expect(await minutes(bench)).toEqual([25, 30]);
  });

  it('lists the Jobs that run', async () => {
    const bench = await createWorld(running);
    await bench.client.create(cronJobs, nightly());
    await bench.pass(11 * 60);
    const { status } = await bench.get(cronJobs, 'nightly');
    expect(status!.active).toMatchObject([{ kind: 'Job', apiVersion: 'batch/v1' }, { kind: 'Job' }]);
  });

  it('waits for the run before where two may not overlap, and makes up for it then', async () => {
    const bench = await createWorld(running);
    await bench.client.create(cronJobs, nightly({ concurrencyPolicy: 'Forbid' }));
    await bench.pass(12 * 60);
    expect(await minutes(bench)).toEqual([5]);
    expect(await bench.told('nightly')).toContain(
      'JobAlreadyActive: Not starting job because prior execution is running and concurrency policy is Forbid',
    );
    const [job] = await bench.all(jobs);
    await bench.client.delete(jobs, job!.metadata, { propagation: 'Background' });
    await bench.pass(10);
    expect(await minutes(bench)).toEqual([10]);
  });

  it('ends the run before where the new one replaces it', async () => {
    const bench = await createWorld(running);
    await bench.client.create(cronJobs, nightly({ concurrencyPolicy: 'Replace' }));
    await bench.pass(11 * 60);
    expect(await minutes(bench)).toEqual([10]);
  });

  it('starts nothing while it is suspended, and afterwards only the last run that was missed', async () => {
    const bench = await createWorld();
    await bench.client.create(cronJobs, nightly({ suspend: true }));
    await bench.pass(22 * 60);
    expect(await minutes(bench)).toEqual([]);
    await bench.client.patch(cronJobs, at, { merge: { spec: { suspend: false } } });
    await bench.pass(10);
    expect(await minutes(bench)).toEqual([20]);
  });

  it('does not start what it is too late for', async () => {
    const bench = await createWorld();
    await bench.client.create(cronJobs, nightly({ suspend: true, startingDeadlineSeconds: 30 }));
    await bench.pass(22 * 60);
    await bench.client.patch(cronJobs, at, { merge: { spec: { suspend: false } } });
    await bench.pass(10);
    expect(await minutes(bench)).toEqual([]);
  });

  it('says so when very many runs were missed', async () => {
    const bench = await createWorld();
    await bench.client.create(cronJobs, nightly({ suspend: true, schedule: '* * * * *' }));
    await bench.pass(200 * 60);
    await bench.client.patch(cronJobs, at, { merge: { spec: { suspend: false } } });
    await bench.pass(10);
    expect((await bench.told('nightly')).join()).toMatch(/TooManyMissedTimes: too many missed start times/);
    expect(await minutes(bench)).toEqual([200]);
  });
});
