/** Job and CronJob. */
import { deepEqual, validateDns1123Subdomain } from '@capstan/kube';
import { invalidValue, requiredValue, unsupportedValue } from '../../field-error.ts';
import type { Draft, Stored } from '../../kind.ts';
import { listOf, type Tree } from '../tree.ts';
import { scheduleProblem } from './cron.ts';
import { checkNoneNegative, checkOneOf, type Errors, IMMUTABLE, requireOneOf, sortedMap } from './fields.ts';
import { checkTemplate } from './pod.ts';
import { checkLabelSelector, isUsable, matches, selectorValue } from './selector.ts';

const COUNTS = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
];
const MOST_PARALLEL_INDEXES = 100_000;
const NEEDS_INDEXES = 'requires indexed completion mode';

export function validateJob(job: Draft): Errors {
  const errors: Errors = [];
  const spec = (job['spec'] ?? {}) as Tree;
  checkJobSpec(errors, 'spec', spec);
  const selector = spec['selector'] as Tree | undefined;
  const labels = spec['template']?.metadata?.labels as Record<string, string> | undefined;
  if (selector === undefined) errors.push(requiredValue('spec.selector'));
  else checkLabelSelector(errors, 'spec.selector', selector);
  if (selector === undefined || (isUsable(selector) && !matches(selector, labels ?? {}))) {
    const why = '`selector` does not match template `labels`';
    errors.push(invalidValue('spec.template.metadata.labels', sortedMap(labels), why));
  }
  return errors;
}

const CONTROLLER_UID = 'batch.kubernetes.io/controller-uid';

/** Unless the user took it on, the labels of the Pods and the selector of a new Job say that they are of it. */
export function validateGeneratedSelector(job: Draft): Errors {
  const errors: Errors = [];
  const spec = (job['spec'] ?? {}) as Tree;
  if (spec['manualSelector'] === true) return errors;
  const labels = (spec['template']?.metadata?.labels ?? {}) as Record<string, string>;
  const { name = '', uid = '' } = job.metadata;
  const path = 'spec.template.metadata.labels';
  const expected = {
    'job-name': name,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    [CONTROLLER_UID]: uid,
  };
  for (const [key, value] of Object.entries(expected)) {
    if (labels[key] !== value) errors.push(invalidValue(`${path}[${key}]`, sortedMap(labels), `must be '${value}'`));
  }
  const selector = spec['selector'] as Tree | undefined;
  if (selector !== undefined && isUsable(selector) && !matches(selector, expected)) {
    errors.push(invalidValue('spec.selector', selectorValue(selector), '`selector` not auto-generated'));
  }
  return errors;
}

function checkJobSpec(errors: Errors, path: string, spec: Tree): void {
  checkNoneNegative(errors, path, spec, COUNTS);
  if (spec['maxFailedIndexes'] !== undefined && spec['backoffLimitPerIndex'] === undefined) {
    errors.push(requiredValue(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified'));
  }
  const manager = spec['managedBy'] as string | undefined;
  if (manager !== undefined && !/^[^/]+\/.+$/.test(manager)) {
    const why = 'must be a domain-prefixed path (such as "acme.io/foo")';
    errors.push(invalidValue(`${path}.managedBy`, manager, why));
  }
  checkCompletionMode(errors, path, spec);
  if (spec['podFailurePolicy']) checkFailurePolicy(errors, `${path}.podFailurePolicy`, spec);
  if (spec['successPolicy'] && spec['completionMode'] !== 'Indexed') {
    const rules = listOf(spec['successPolicy'], 'rules').map(rule => ({
      SucceededIndexes: rule['succeededIndexes'] ?? null,
      SucceededCount: rule['succeededCount'] ?? null,
    }));
    errors.push(invalidValue(`${path}.successPolicy`, { Rules: rules }, NEEDS_INDEXES));
  }
  const replacement = spec['podReplacementPolicy'] as string | undefined;
  if (spec['podFailurePolicy']) checkOneOf(errors, `${path}.podReplacementPolicy`, replacement, ['Failed']);
  else checkOneOf(errors, `${path}.podReplacementPolicy`, replacement, ['Failed', 'TerminatingOrFailed']);
  const template = (spec['template'] ?? {}) as Tree;
  checkTemplate(errors, `${path}.template`, template);
  checkEnds(
    errors,
    `${path}.template.spec.restartPolicy`,
    template['spec'] ?? {},
    spec['podFailurePolicy'] !== undefined,
  );
}

function checkCompletionMode(errors: Errors, path: string, spec: Tree): void {
  const mode = spec['completionMode'] as string | undefined;
  checkOneOf(errors, `${path}.completionMode`, mode, ['NonIndexed', 'Indexed']);
  if (mode === 'Indexed') {
    if (spec['completions'] === undefined) {
      errors.push(requiredValue(`${path}.completions`, 'when completion mode is Indexed'));
    }
    if (spec['parallelism'] > MOST_PARALLEL_INDEXES) {
      const why = `must be less than or equal to ${MOST_PARALLEL_INDEXES} when completion mode is Indexed`;
      errors.push(invalidValue(`${path}.parallelism`, spec['parallelism'], why));
    }
    return;
  }
  if (mode !== undefined && mode !== 'NonIndexed') return;
  for (const field of ['backoffLimitPerIndex', 'maxFailedIndexes']) {
    if (spec[field] !== undefined) errors.push(invalidValue(`${path}.${field}`, spec[field], NEEDS_INDEXES));
  }
}

function checkFailurePolicy(errors: Errors, path: string, spec: Tree): void {
  for (const [index, rule] of listOf(spec['podFailurePolicy'], 'rules').entries()) {
    const at = `${path}.rules[${index}]`;
    requireOneOf(errors, `${at}.action`, rule['action'], ['Count', 'FailIndex', 'FailJob', 'Ignore']);
    const { onExitCodes: codes, onPodConditions: conditions } = rule;
    if (codes !== undefined) checkExitCodes(errors, `${at}.onExitCodes`, codes);
    if (codes !== undefined && conditions !== undefined) {
      errors.push(invalidValue(at, '<nil>', 'specifying both OnExitCodes and OnPodConditions is not supported'));
    } else if (codes === undefined && conditions === undefined) {
      errors.push(invalidValue(at, '<nil>', 'specifying one of OnExitCodes and OnPodConditions is required'));
    }
  }
}

function checkExitCodes(errors: Errors, at: string, codes: Tree): void {
  if (!codes['operator']) errors.push(requiredValue(`${at}.operator`, 'valid values: ["In" "NotIn"]'));
  else checkOneOf(errors, `${at}.operator`, codes['operator'], ['In', 'NotIn']);
  const values = (codes['values'] ?? []) as number[];
  if (values.length === 0) errors.push(invalidValue(`${at}.values`, null, 'at least one value is required'));
  for (const [index, value] of values.entries()) {
    if (codes['operator'] === 'In' && value === 0) {
      errors.push(invalidValue(`${at}.values[${index}]`, value, 'must not be 0 for the In operator'));
    }
  }
}

/** A Pod that is always started again never ends, and neither would the Job. */
function checkEnds(errors: Errors, path: string, spec: Tree, hasFailurePolicy: boolean): void {
  const policy = spec['restartPolicy'] as string | undefined;
  if (policy === undefined || policy === 'Always')
    errors.push(requiredValue(path, 'valid values: "OnFailure", "Never"'));
  else if (policy !== 'OnFailure' && policy !== 'Never') {
    errors.push(unsupportedValue(path, policy, ['OnFailure', 'Never']));
  } else if (hasFailurePolicy && policy !== 'Never') {
    errors.push(invalidValue(path, policy, 'only "Never" is supported when podFailurePolicy is specified'));
  }
}

const FIXED = ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'];

export function validateJobUpdate(job: Draft, old: Stored): Errors {
  const errors: Errors = [];
  const spec = job['spec'] as Tree;
  const before = old['spec'] as Tree;
  const fix = (field: string): void => {
    if (!deepEqual(spec[field], before[field])) errors.push(invalidValue(`spec.${field}`, spec[field], IMMUTABLE));
  };
  if (spec['completionMode'] !== 'Indexed') fix('completions');
  else if (spec['completions'] !== before['completions'] && spec['completions'] !== spec['parallelism']) {
    const why = 'can only be modified in tandem with spec.parallelism';
    errors.push(invalidValue('spec.completions', spec['completions'], why));
  }
  if (!deepEqual(spec['selector'], before['selector'])) {
    errors.push(invalidValue('spec.selector', selectorValue(spec['selector']), IMMUTABLE));
  }
  if (!deepEqual(fixedTemplate(spec, old), fixedTemplate(before, old))) {
    errors.push(invalidValue('spec.template', spec['template'], IMMUTABLE));
  }
  for (const field of FIXED) fix(field);
  return errors;
}

/** While a Job is suspended and has not begun, a queue may still say where its Pods shall run. */
function fixedTemplate(spec: Tree, old: Stored): unknown {
  const notStarted = old['spec']?.suspend === true && old['status']?.startTime === undefined;
  if (!notStarted) return spec['template'];
  const { nodeSelector, affinity, tolerations, schedulingGates, ...podSpec } = (spec['template']?.spec ?? {}) as Tree;
  const { labels, annotations, ...metadata } = (spec['template']?.metadata ?? {}) as Tree;
  void [nodeSelector, affinity, tolerations, schedulingGates, labels, annotations];
  return { ...spec['template'], metadata, spec: podSpec };
}

/** A Job is named after its CronJob and the minute, which adds eleven characters. */
const MOST_NAME = 52;

export function cronJobNameProblems(name: string, isPrefix: boolean): string[] {
  const problems = validateDns1123Subdomain(isPrefix ? name.replace(/-$/, 'a') : name);
  return name.length > MOST_NAME ? [...problems, `must be no more than ${MOST_NAME} characters`] : problems;
}

export function validateCronJob(cronJob: Draft): Errors {
  const errors: Errors = [];
  const spec = (cronJob['spec'] ?? {}) as Tree;
  const schedule = (spec['schedule'] ?? '') as string;
  if (schedule === '') errors.push(requiredValue('spec.schedule'));
  else {
    const problem = scheduleProblem(schedule);
    if (problem !== undefined) errors.push(invalidValue('spec.schedule', schedule, problem));
  }
  checkNoneNegative(errors, 'spec', spec, ['startingDeadlineSeconds']);
  checkTimeZone(errors, 'spec.timeZone', spec['timeZone']);
  requireOneOf(errors, 'spec.concurrencyPolicy', spec['concurrencyPolicy'], ['Allow', 'Forbid', 'Replace']);
  const job = (spec['jobTemplate']?.spec ?? {}) as Tree;
  checkJobSpec(errors, 'spec.jobTemplate.spec', job);
  if (job['selector'] !== undefined) {
    const why = '`selector` will be auto-generated';
    errors.push(invalidValue('spec.jobTemplate.spec.selector', selectorValue(job['selector']), why));
  }
  if (job['manualSelector'] === true) {
    errors.push(unsupportedValue('spec.jobTemplate.spec.manualSelector', true, ['nil', 'false']));
  }
  checkNoneNegative(errors, 'spec', spec, ['successfulJobsHistoryLimit', 'failedJobsHistoryLimit']);
  return errors;
}

function checkTimeZone(errors: Errors, path: string, zone: string | undefined): void {
  if (zone === undefined) return;
  if (zone === '') errors.push(invalidValue(path, zone, 'timeZone must be nil or non-empty string'));
  else if (zone.toLowerCase() === 'local')
    errors.push(
      invalidValue(path, zone, 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'),
    );
  else if (!isTimeZone(zone)) errors.push(invalidValue(path, zone, `unknown time zone ${zone}`));
}

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
