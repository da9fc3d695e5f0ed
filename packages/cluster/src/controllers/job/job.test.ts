import { type Job, jobs, type NewObject, type Pod, type PodStatus, pods, timestamp } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { type Bench, createBench } from '../testing/bench.fixture.ts';
import { running } from '../testing/simulated-pods.fixture.ts';
import { jobController, ttlAfterFinishedController } from './index.ts';

const work = (spec: Partial<Job['spec']> = {}): NewObject<Job> => ({
  metadata: { name: 'work', namespace: 'default' },
  spec: {
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'v1' }] } },
    ...spec,
  },
});

const at = { namespace: 'default', name: 'work' };

function ended(now: number, exitCode: number): PodStatus {
  const finishedAt = timestamp(now);
  const terminated = { exitCode, finishedAt, startedAt: finishedAt, reason: exitCode === 0 ? 'Completed' : 'Error' };
  const status = { name: 'c', image: 'v1', imageID: '', ready: false, restartCount: 0, state: { terminated } };
  return { phase: exitCode === 0 ? 'Succeeded' : 'Failed', containerStatuses: [status] };
}

const succeeds = { status: (_: Pod, now: number) => ended(now, 0) };
const fails = (exitCode = 1) => ({ status: (_: Pod, now: number) => ended(now, exitCode) });
const indexOf = (pod: Pod): number => Number(pod.metadata.annotations!['batch.kubernetes.io/job-completion-index']);

const createWorld = (life = {}): Promise<Bench> => createBench([jobController, ttlAfterFinishedController], life);
const conditions = (job: Job) => (job.status?.conditions ?? []).map(({ type, reason }) => `${type} ${reason}`);

describe('a Job', () => {
  it('runs Pods until enough have succeeded, so many at a time', async () => {
    const bench = await createWorld({ status: running });
    await bench.client.create(jobs, work({ completions: 5, parallelism: 2 }));
    await bench.pass(1);
    expect((await bench.get(jobs, 'work')).status).toMatchObject({ active: 2, ready: 2, terminating: 0 });
    bench.life = succeeds;
    for (const pod of await bench.all(pods))
      await bench.client.patch(
        pods,
        pod.metadata,
        { merge: { status: ended(bench.clock.now(), 0) } },
        { subresource: 'status' },
      );
    await bench.pass(5);
    const job = await bench.get(jobs, 'work');
    expect(job.status).toMatchObject({ succeeded: 5, ready: 0, terminating: 0, uncountedTerminatedPods: {} });
    expect(job.status!.completionTime).toBeDefined();
    expect(conditions(job)).toEqual(['SuccessCriteriaMet CompletionsReached', 'Complete CompletionsReached']);
    const all = await bench.all(pods);
    expect(all).toHaveLength(5);
    expect(all.flatMap(pod => pod.metadata.finalizers ?? [])).toEqual([]);
    expect(await bench.told('work')).toContain('Completed: Job completed');
  });

  it('tries again after a failure, later each time, and gives up at its limit', async () => {
    const bench = await createWorld(fails());
    await bench.client.create(jobs, work({ backoffLimit: 2 }));
    await bench.pass(9);
    expect(await bench.all(pods)).toHaveLength(1);
    await bench.pass(3);
    expect(await bench.all(pods)).toHaveLength(2);
    await bench.pass(17);
    expect(await bench.all(pods)).toHaveLength(2);
    await bench.pass(3);
    const job = await bench.get(jobs, 'work');
    expect(job.status).toMatchObject({ failed: 3 });
    expect(conditions(job)).toEqual(['FailureTarget BackoffLimitExceeded', 'Failed BackoffLimitExceeded']);
    expect(await bench.told('work')).toContain('BackoffLimitExceeded: Job has reached the specified backoff limit');
  });

  it('gives each index a Pod that knows it', async () => {
    const bench = await createWorld(succeeds);
    await bench.client.create(jobs, work({ completions: 4, parallelism: 4, completionMode: 'Indexed' }));
    await bench.pass(5);
    const job = await bench.get(jobs, 'work');
    expect(job.status).toMatchObject({ succeeded: 4, completedIndexes: '0-3' });
    const [first] = await bench.all(pods);
    expect(first!.metadata.name).toMatch(/^work-0-.{5}$/);
    expect(first!.spec.hostname).toBe('work-0');
    expect(first!.spec.containers[0]!.env).toMatchObject([{ name: 'JOB_COMPLETION_INDEX' }]);
  });

  it('lets an index fail for itself', async () => {
    const status = (pod: Pod, now: number) => ended(now, indexOf(pod) === 1 ? 1 : 0);
    const bench = await createWorld({ status });
    const spec = { completions: 3, parallelism: 3, completionMode: 'Indexed', backoffLimitPerIndex: 1 } as const;
    await bench.client.create(jobs, work(spec));
    await bench.pass(60);
    const job = await bench.get(jobs, 'work');
    expect(job.status).toMatchObject({ succeeded: 2, failed: 2, completedIndexes: '0,2', failedIndexes: '1' });
    expect(conditions(job)).toEqual(['FailureTarget FailedIndexes', 'Failed FailedIndexes']);
  });

  it('ends at the first failure that its policy says is final', async () => {
    const bench = await createWorld(fails(42));
    const rules = [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } }] as const;
    await bench.client.create(jobs, work({ podFailurePolicy: { rules } }));
    await bench.pass(5);
    const job = await bench.get(jobs, 'work');
    expect(conditions(job)).toEqual(['FailureTarget PodFailurePolicy', 'Failed PodFailurePolicy']);
    const [pod] = await bench.all(pods);
    expect(job.status!.conditions![0]!.message).toBe(
      `Container c for pod default/${pod!.metadata.name} failed with exit code 42 matching FailJob rule at index 0`,
    );
  });

  it('does not count a failure that its policy ignores', async () => {
    const bench = await createWorld(fails(42));
    const rules = [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [42] } }] as const;
    await bench.client.create(jobs, work({ backoffLimit: 0, podFailurePolicy: { rules } }));
    await bench.pass(12);
    bench.life = succeeds;
    await bench.pass(60);
    const job = await bench.get(jobs, 'work');
    expect(job.status!.failed).toBeUndefined();
    expect(conditions(job)).toContain('Complete CompletionsReached');
  });

  it('is done early when its success policy says so', async () => {
    const status = (pod: Pod, now: number) => (indexOf(pod) === 0 ? ended(now, 0) : running(pod, now));
    const bench = await createWorld({ status });
    const successPolicy = { rules: [{ succeededIndexes: '0' }] };
    await bench.client.create(jobs, work({ completions: 3, parallelism: 3, completionMode: 'Indexed', successPolicy }));
    await bench.pass(5);
    const job = await bench.get(jobs, 'work');
    expect(conditions(job)).toEqual(['SuccessCriteriaMet SuccessPolicy', 'Complete SuccessPolicy']);
    expect(job.status).toMatchObject({ succeeded: 1, completedIndexes: '0' });
    expect(job.status!.failed).toBeUndefined();
    expect(await bench.all(pods)).toHaveLength(1);
  });

  it('ends what runs when it has run for too long', async () => {
    const bench = await createWorld({ status: running });
    await bench.client.create(jobs, work({ activeDeadlineSeconds: 30 }));
    await bench.pass(29);
    expect(conditions(await bench.get(jobs, 'work'))).toEqual([]);
    await bench.pass(3);
    const job = await bench.get(jobs, 'work');
    expect(conditions(job)).toEqual(['FailureTarget DeadlineExceeded', 'Failed DeadlineExceeded']);
    expect(await bench.all(pods)).toEqual([]);
  });

  it('waits with its verdict until the last Pod has ended', async () => {
    const bench = await createWorld({ status: running, ends: () => false, nodeName: 'n1' });
    await bench.client.create(jobs, work({ activeDeadlineSeconds: 10 }));
    await bench.pass(20);
    const job = await bench.get(jobs, 'work');
    expect(conditions(job)).toEqual(['FailureTarget DeadlineExceeded']);
    expect(job.status).toMatchObject({ terminating: 1 });
    const [pod] = await bench.all(pods);
    await bench.client.delete(pods, pod!.metadata, { grace: 0 });
    await bench.pass(1);
    expect(conditions(await bench.get(jobs, 'work'))).toEqual([
      'FailureTarget DeadlineExceeded',
      'Failed DeadlineExceeded',
    ]);
  });

  it('gives its Pods up while it is suspended, without counting them as failed', async () => {
    const bench = await createWorld({ status: running });
    await bench.client.create(jobs, work({ parallelism: 2, completions: 2 }));
    await bench.pass(1);
    await bench.client.patch(jobs, at, { merge: { spec: { suspend: true } } });
    await bench.pass(1);
    expect(await bench.all(pods)).toEqual([]);
    expect(conditions(await bench.get(jobs, 'work'))).toEqual(['Suspended JobSuspended']);
    bench.life = succeeds;
    await bench.client.patch(jobs, at, { merge: { spec: { suspend: false } } });
    await bench.pass(5);
    const job = await bench.get(jobs, 'work');
    expect(job.status).toMatchObject({ succeeded: 2 });
    expect(job.status!.failed).toBeUndefined();
    expect(conditions(job)).toEqual([
      'Suspended JobResumed',
      'SuccessCriteriaMet CompletionsReached',
      'Complete CompletionsReached',
    ]);
  });

  it('is deleted when its time to live after the end is over', async () => {
    const bench = await createWorld(succeeds);
    await bench.client.create(jobs, work({ ttlSecondsAfterFinished: 100 }));
    await bench.pass(99);
    expect(await bench.all(jobs)).toHaveLength(1);
    await bench.pass(3);
    const left = await bench.all(jobs);
    expect(left.filter(job => job.metadata.deletionTimestamp === undefined)).toEqual([]);
  });

  it('leaves Pods free to go when it is deleted before them', async () => {
    const bench = await createWorld({ status: running });
    await bench.client.create(jobs, work());
    await bench.pass(1);
    await bench.client.delete(jobs, at, { propagation: 'Background' });
    await bench.pass(1);
    expect((await bench.all(pods)).flatMap(pod => pod.metadata.finalizers ?? [])).toEqual([]);
  });
});
