import type { Container, Job, NewObject, Pod } from '@capstan/kube';
import { podFromTemplate } from '../workload/pod-control.ts';
import { consequenceOf } from './failure-policy.ts';
import type { Creation } from './plan.ts';
import { COMPLETION_INDEX, INDEX_FAILURES, INDEX_IGNORED_FAILURES, noted, TRACKING_FINALIZER } from './pods.ts';

/** A generated name has five random characters behind this. */
const LONGEST_PREFIX = 58;
const INDEX_VARIABLE = 'JOB_COMPLETION_INDEX';

export function newPod(job: Job, { index, replaces }: Creation): NewObject<Pod> {
  const pod = podFromTemplate(job.spec.template, job);
  const others = (pod.metadata.finalizers ?? []).filter(each => each !== TRACKING_FINALIZER);
  const metadata = { ...pod.metadata, finalizers: [...others, TRACKING_FINALIZER] };
  if (index === undefined) return { ...pod, metadata };
  const { name } = job.metadata;
  const end = `-${index}-`;
  const { containers, initContainers } = pod.spec;
  return {
    ...pod,
    metadata: {
      ...metadata,
      generateName: `${name.slice(0, LONGEST_PREFIX - end.length)}${end}`,
      labels: { ...metadata.labels, [COMPLETION_INDEX]: String(index) },
      annotations: { ...metadata.annotations, [COMPLETION_INDEX]: String(index), ...failureCounts(job, replaces) },
    },
    spec: {
      ...pod.spec,
      hostname: `${name}-${index}`,
      containers: containers.map(withIndexVariable),
      ...(initContainers && { initContainers: initContainers.map(withIndexVariable) }),
    },
  };
}

/** How often the index has failed before this Pod. */
function failureCounts(job: Job, replaces: Pod | undefined): Readonly<Record<string, string>> {
  if (job.spec.backoffLimitPerIndex === undefined) return {};
  if (replaces === undefined) return { [INDEX_FAILURES]: '0' };
  const ignored = consequenceOf(replaces, job).action === 'Ignore';
  const failures = noted(replaces, INDEX_FAILURES) + (ignored ? 0 : 1);
  const ignoredFailures = noted(replaces, INDEX_IGNORED_FAILURES) + (ignored ? 1 : 0);
  return {
    [INDEX_FAILURES]: String(failures),
    ...(ignoredFailures > 0 && { [INDEX_IGNORED_FAILURES]: String(ignoredFailures) }),
  };
}

function withIndexVariable(container: Container): Container {
  const { env = [] } = container;
  if (env.some(({ name }) => name === INDEX_VARIABLE)) return container;
  const fieldPath = `metadata.labels['${COMPLETION_INDEX}']`;
  return { ...container, env: [...env, { name: INDEX_VARIABLE, valueFrom: { fieldRef: { fieldPath } } }] };
}
