/** Brings a CronJob up to date: its Jobs that ended, the run that is due, old Jobs away → one write of its status. */
import { type Cache, controllerOf, done, type Reconcile, type Recorder, requeueAfter } from '@capstan/controller';
import {
  type Client,
  type CronJob,
  cronJobs,
  deepEqual,
  isAlreadyExists,
  isNotFound,
  type Job,
  jobs,
  type ObjectReferenceField,
  timestamp,
} from '@capstan/kube';
import { isFinished } from '../job/conditions.ts';
import { dueRun, untilNext } from './due.ts';
import { outdatedJobs } from './history.ts';
import { jobName, newJob, referenceTo } from './new-job.ts';
import { parseSchedule, type Schedule } from './schedule.ts';

type CronJobStatus = NonNullable<CronJob['status']>;

export function reconcileCronJob(recorder: Recorder): Reconcile {
  return async ({ namespace, name }, { client, cache, now }) => {
    const cronJob = await cache.get(cronJobs, { namespace, name });
    if (cronJob === undefined) return done();
    const children = await childrenOf(cronJob, cache);
    const pass = new Pass(cronJob, children, client, recorder, now);
    pass.observe();
    const schedule = pass.schedule();
    if (schedule !== undefined) await pass.run(schedule);
    await pass.clean();
    await pass.store();
    const wait = schedule && untilNext(pass.cronJob, schedule, now);
    return wait === undefined ? done() : requeueAfter(wait);
  };
}

async function childrenOf({ metadata }: CronJob, cache: Cache): Promise<readonly Job[]> {
  const owned = await cache.list(jobs, { namespace: metadata.namespace, owner: metadata.uid });
  return owned.filter(job => controllerOf(job)?.uid === metadata.uid);
}

class Pass {
  readonly #observed: CronJob;
  readonly #children: readonly Job[];
  readonly #client: Client;
  readonly #recorder: Recorder;
  readonly #now: number;
  #status: CronJobStatus;

  constructor(cronJob: CronJob, children: readonly Job[], client: Client, recorder: Recorder, now: number) {
    this.#observed = cronJob;
    this.#children = children;
    this.#client = client;
    this.#recorder = recorder;
    this.#now = now;
    this.#status = cronJob.status ?? {};
  }

  /** The CronJob with its status as this pass leaves it. */
  get cronJob(): CronJob {
    return { ...this.#observed, status: this.#status };
  }

  get #active(): readonly ObjectReferenceField[] {
    return this.#status.active ?? [];
  }

  /** Takes notice of Jobs that have ended, or are gone, or were not known. */
  observe(): void {
    for (const job of this.#children) {
      const known = this.#active.some(({ uid }) => uid === job.metadata.uid);
      const end = job.status?.conditions?.find(({ type, status }) => isEnd(type) && status === 'True');
      if (end === undefined) {
        if (!known) {
          const message = `Saw a job that the controller did not create or forgot: ${job.metadata.name}`;
          this.#tell('Warning', 'UnexpectedJob', message);
        }
        continue;
      }
      if (known) {
        this.#forget(job.metadata.uid!);
        this.#tell('Normal', 'SawCompletedJob', `Saw completed job: ${job.metadata.name}, condition: ${end.type}`);
      }
      const { completionTime } = job.status ?? {};
      if (end.type === 'Complete' && completionTime && completionTime > (this.#status.lastSuccessfulTime ?? '')) {
        this.#status = { ...this.#status, lastSuccessfulTime: completionTime };
      }
    }
    const there = new Set(this.#children.map(({ metadata }) => metadata.uid));
    for (const { uid, name } of this.#active.filter(({ uid }) => !there.has(uid))) {
      this.#forget(uid!);
      this.#tell('Normal', 'MissingJob', `Active job went missing: ${name}`);
    }
  }

  /** `undefined` when no run is to be started, now or later. */
  schedule(): Schedule | undefined {
    const { metadata, spec } = this.#observed;
    if (metadata.deletionTimestamp !== undefined || spec.suspend) return undefined;
    try {
      return parseSchedule(spec.schedule, spec.timeZone);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      if (error instanceof RangeError) {
        this.#tell('Warning', 'UnknownTimeZone', `invalid timeZone: ${JSON.stringify(spec.timeZone)}: ${why}`);
      } else {
        const message = `unparseable schedule: ${JSON.stringify(spec.schedule)} : ${why}`;
        this.#tell('Warning', 'UnparseableSchedule', message);
      }
      return undefined;
    }
  }

  async run(schedule: Schedule): Promise<void> {
    const { spec } = this.#observed;
    const { at, tooMany } = dueRun(this.cronJob, schedule, this.#now);
    if (tooMany) {
      const message = 'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew';
      this.#tell('Warning', 'TooManyMissedTimes', message);
    }
    if (at === undefined) return;
    if (spec.startingDeadlineSeconds !== undefined && at + spec.startingDeadlineSeconds * 1000 < this.#now) {
      this.#tell('Warning', 'MissSchedule', `Missed scheduled time to start a job: ${rfc1123(at)}`);
      return;
    }
    const name = jobName(this.#observed, at);
    if (this.#active.some(active => active.name === name) || this.#status.lastScheduleTime === timestamp(at)) return;
    if (spec.concurrencyPolicy === 'Forbid' && this.#active.length > 0) {
      const message = 'Not starting job because prior execution is running and concurrency policy is Forbid';
      this.#tell('Normal', 'JobAlreadyActive', message);
      return;
    }
    if (spec.concurrencyPolicy === 'Replace') {
      for (const active of this.#active) await this.#delete(active.name!, active.uid!);
    }
    await this.#start(at);
  }

  async #start(at: number): Promise<void> {
    const wanted = newJob(this.#observed, at);
    let job: Job;
    try {
      job = await this.#client.create(jobs, wanted);
      this.#tell('Normal', 'SuccessfulCreate', `Created job ${job.metadata.name}`);
    } catch (error) {
      if (!isAlreadyExists(error)) {
        const why = error instanceof Error ? error.message : String(error);
        this.#tell('Warning', 'FailedCreate', `Error creating job: ${why}`);
        throw error;
      }
      const { namespace, name } = wanted.metadata;
      job = await this.#client.get(jobs, { namespace, name: name! });
      if (controllerOf(job)?.uid !== this.#observed.metadata.uid) return;
    }
    const ended = isFinished(job.status?.conditions);
    this.#status = {
      ...this.#status,
      ...(!ended && { active: [...this.#active, referenceTo(job)] }),
      lastScheduleTime: timestamp(at),
    };
  }

  async clean(): Promise<void> {
    for (const { metadata } of outdatedJobs(this.#observed, this.#children)) {
      await this.#delete(metadata.name, metadata.uid!);
    }
  }

  async #delete(name: string, uid: string): Promise<void> {
    const { namespace } = this.#observed.metadata;
    try {
      await this.#client.delete(jobs, { namespace, name }, { propagation: 'Background', preconditions: { uid } });
      this.#tell('Normal', 'SuccessfulDelete', `Deleted job ${name}`);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    this.#forget(uid);
  }

  async store(): Promise<void> {
    if (deepEqual(this.#observed.status ?? {}, this.#status)) return;
    this.#status = (await this.#client.updateStatus(cronJobs, this.cronJob)).status ?? {};
  }

  #forget(uid: string): void {
    const { active = [], ...rest } = this.#status;
    const left = active.filter(each => each.uid !== uid);
    this.#status = left.length > 0 ? { ...rest, active: left } : rest;
  }

  #tell(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#recorder.record(this.#observed, { type, reason, message });
  }
}

const isEnd = (type: string): boolean => type === 'Complete' || type === 'Failed';

/** `Mon, 02 Jan 2006 15:04:05 +0000`. */
const rfc1123 = (milliseconds: number): string => new Date(milliseconds).toUTCString().replace('GMT', '+0000');
