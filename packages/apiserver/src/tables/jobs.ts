import type { CronJob, Job, Sparse } from '@capstan/kube';
import { containerColumns } from './containers.ts';
import { humanDuration, since } from './duration.ts';
import { selectorText } from './labels.ts';
import { AGE, fieldOf, NAME, type PrintContext, type Printer } from './printer.ts';

export const jobPrinter: Printer<Job> = {
  columns: [
    NAME,
    { name: 'Status', description: 'Status of the job.', cell: jobStatus },
    { name: 'Completions', description: fieldOf('batch.v1.JobStatus', 'succeeded'), cell: completions },
    { name: 'Duration', description: 'Time required to complete the job.', cell: jobDuration },
    AGE,
    ...containerColumns<Job>(({ spec }) => spec?.template),
    {
      name: 'Selector',
      wide: true,
      description: fieldOf('batch.v1.JobSpec', 'selector'),
      cell: ({ spec }) => selectorText(spec?.selector),
    },
  ],
};

/** What has happened is told before what is happening, and that before what will. */
function jobStatus({ metadata, status }: Sparse<Job>): string {
  const has = (type: string): boolean =>
    status?.conditions?.find(condition => condition.type === type)?.status === 'True';
  if (has('Complete')) return 'Complete';
  if (has('Failed')) return 'Failed';
  if (metadata?.deletionTimestamp) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(has) ?? 'Running';
}

function completions({ spec, status }: Sparse<Job>): string {
  const succeeded = status?.succeeded ?? 0;
  if (spec?.completions !== undefined) return `${succeeded}/${spec.completions}`;
  const parallelism = spec?.parallelism ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration({ status }: Sparse<Job>, { now }: PrintContext): string {
  if (!status?.startTime) return '';
  const end = status.completionTime ? Date.parse(status.completionTime) : now;
  return humanDuration(end - Date.parse(status.startTime));
}

export const cronJobPrinter: Printer<CronJob> = {
  columns: [
    NAME,
    {
      name: 'Schedule',
      description: fieldOf('batch.v1.CronJobSpec', 'schedule'),
      cell: ({ spec }) => spec?.schedule ?? '',
    },
    {
      name: 'Timezone',
      description: fieldOf('batch.v1.CronJobSpec', 'timeZone'),
      cell: ({ spec }) => spec?.timeZone ?? '<none>',
    },
    {
      name: 'Suspend',
      type: 'boolean',
      description: fieldOf('batch.v1.CronJobSpec', 'suspend'),
      cell: ({ spec }) => (spec?.suspend === undefined ? '<unset>' : spec.suspend ? 'True' : 'False'),
    },
    {
      name: 'Active',
      type: 'integer',
      description: fieldOf('batch.v1.CronJobStatus', 'active'),
      cell: ({ status }) => status?.active?.length ?? 0,
    },
    {
      name: 'Last Schedule',
      description: fieldOf('batch.v1.CronJobStatus', 'lastScheduleTime'),
      cell: ({ status }, { now }) => (status?.lastScheduleTime ? since(status.lastScheduleTime, now) : '<none>'),
    },
    AGE,
    ...containerColumns<CronJob>(({ spec }) => spec?.jobTemplate?.spec?.template),
    {
      name: 'Selector',
      wide: true,
      description: fieldOf('batch.v1.JobSpec', 'selector'),
      cell: ({ spec }) => selectorText(spec?.jobTemplate?.spec?.selector),
    },
  ],
};
