/** What the LimitRanges of a namespace make of new Pods and claims: resources filled in, and kept within bounds. */
import { addQuantities, compareQuantities, formatQuantity, quantityToNumber } from '@capstan/kube';
import type { Draft, Stored } from './kind.ts';
import { forbidden, type Subject } from './status.ts';

type Resources = Readonly<Record<string, string>>;

interface Limit {
  readonly type: string;
  readonly min?: Resources;
  readonly max?: Resources;
  readonly default?: Resources;
  readonly defaultRequest?: Resources;
  readonly maxLimitRequestRatio?: Resources;
}

interface Container {
  readonly name: string;
  readonly restartPolicy?: string;
  resources?: { requests?: Resources; limits?: Resources };
}

interface Usage {
  readonly requests: Resources;
  readonly limits: Resources;
}

const ANNOTATION = 'kubernetes.io/limit-ranger';
const NONE: Resources = {};

/** Fills in what the containers of a Pod leave open. */
export function completePod(pod: Draft, ranges: readonly Stored[]): void {
  for (const range of ranges) fillResources(pod, limitsOf(range));
}

/** Refuses what is out of bounds. By then the Pod has its name, also where that is generated. */
export function limitPod(pod: Draft, ranges: readonly Stored[], subject: Subject): void {
  const usages = (limit: Limit): readonly Usage[] => {
    if (limit.type === 'Container') return containersOf(pod).map(usageOf);
    return limit.type === 'Pod' ? [usageOfPod(pod)] : [];
  };
  for (const range of ranges) {
    const problems = limitsOf(range).flatMap(limit => usages(limit).flatMap(usage => boundsProblems(limit, usage)));
    refuse(subject, pod, problems);
  }
}

export function limitClaim(claim: Draft, ranges: readonly Stored[], subject: Subject): void {
  const requests: Resources = claim['spec']?.resources?.requests ?? NONE;
  for (const range of ranges) {
    const problems = limitsOf(range)
      .filter(({ type }) => type === 'PersistentVolumeClaim')
      .flatMap(({ type, min = NONE, max = NONE }) => [
        ...each(min, (name, bound) => minimumProblem(type, name, bound, { requests, limits: NONE })),
        ...each(max, (name, bound) => maximumRequestProblem(type, name, bound, requests)),
      ]);
    refuse(subject, claim, problems);
  }
}

const limitsOf = (range: Stored): readonly Limit[] => range['spec']?.limits ?? [];

function containersOf({ spec }: Draft): readonly Container[] {
  return [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
}

const usageOf = ({ resources }: Container): Usage => ({
  requests: resources?.requests ?? NONE,
  limits: resources?.limits ?? NONE,
});

function refuse(subject: Subject, { metadata }: Draft, problems: readonly string[]): void {
  if (problems.length === 0) return;
  throw forbidden(subject, metadata.name ?? '', problems.length === 1 ? problems[0]! : `[${problems.join(', ')}]`);
}

function fillResources(pod: Draft, limits: readonly Limit[]): void {
  const ofContainers = limits.filter(({ type }) => type === 'Container');
  const requests = Object.assign({}, ...ofContainers.map(limit => limit.defaultRequest));
  const maximums = Object.assign({}, ...ofContainers.map(limit => limit.default));
  const filled = [
    ...(pod['spec']?.containers ?? []).flatMap((one: Container) => fill(one, 'container', requests, maximums)),
    ...(pod['spec']?.initContainers ?? []).flatMap((one: Container) => fill(one, 'init container', requests, maximums)),
  ];
  if (filled.length === 0) return;
  pod.metadata.annotations = {
    ...pod.metadata.annotations,
    [ANNOTATION]: `LimitRanger plugin set: ${filled.join('; ')}`,
  };
}

/** Gives what was filled in, in words. */
function fill(container: Container, word: string, requests: Resources, limits: Resources): string[] {
  const given = usageOf(container);
  const missing = (defaults: Resources, own: Resources): string[] =>
    Object.keys(defaults)
      .filter(name => own[name] === undefined)
      .sort();
  const [newRequests, newLimits] = [missing(requests, given.requests), missing(limits, given.limits)];
  const merged = (defaults: Resources, own: Resources): Resources => ({ ...defaults, ...own });
  if (newRequests.length > 0) {
    container.resources = { ...container.resources, requests: merged(requests, given.requests) };
  }
  if (newLimits.length > 0) container.resources = { ...container.resources, limits: merged(limits, given.limits) };
  return [
    ...(newRequests.length > 0 ? [`${newRequests.join(', ')} request for ${word} ${container.name}`] : []),
    ...(newLimits.length > 0 ? [`${newLimits.join(', ')} limit for ${word} ${container.name}`] : []),
  ];
}

function boundsProblems({ type, min = NONE, max = NONE, maxLimitRequestRatio = NONE }: Limit, usage: Usage): string[] {
  return [
    ...each(min, (name, bound) => minimumProblem(type, name, bound, usage)),
    ...each(max, (name, bound) => maximumProblem(type, name, bound, usage)),
    ...each(maxLimitRequestRatio, (name, bound) => ratioProblem(type, name, bound, usage)),
  ];
}

function each(bounds: Resources, check: (name: string, bound: string) => string | undefined): string[] {
  return Object.entries(bounds).flatMap(([name, bound]) => check(name, bound) ?? []);
}

const isLess = (left: string, right: string): boolean => compareQuantities(left, right) < 0;

function minimumProblem(type: string, name: string, bound: string, { requests, limits }: Usage): string | undefined {
  const [request, limit] = [requests[name], limits[name]];
  const rule = `minimum ${name} usage per ${type} is ${bound}`;
  if (request === undefined) return `${rule}.  No request is specified`;
  if (isLess(request, bound)) return `${rule}, but request is ${request}`;
  return limit !== undefined && isLess(limit, bound) ? `${rule}, but limit is ${limit}` : undefined;
}

function maximumProblem(type: string, name: string, bound: string, { requests, limits }: Usage): string | undefined {
  const [request, limit] = [requests[name], limits[name]];
  const rule = `maximum ${name} usage per ${type} is ${bound}`;
  if (limit === undefined) return `${rule}.  No limit is specified`;
  if (isLess(bound, limit)) return `${rule}, but limit is ${limit}`;
  return request !== undefined && isLess(bound, request) ? `${rule}, but request is ${request}` : undefined;
}

function maximumRequestProblem(type: string, name: string, bound: string, requests: Resources): string | undefined {
  const request = requests[name];
  const rule = `maximum ${name} usage per ${type} is ${bound}`;
  if (request === undefined) return `${rule}.  No request is specified`;
  return isLess(bound, request) ? `${rule}, but request is ${request}` : undefined;
}

function ratioProblem(type: string, name: string, bound: string, { requests, limits }: Usage): string | undefined {
  const [request, limit] = [quantityToNumber(requests[name] ?? 0), quantityToNumber(limits[name] ?? 0)];
  const rule = `${name} max limit to request ratio per ${type} is ${bound}`;
  if (request === 0) return `${rule}, but no request is specified or request is 0`;
  if (limit === 0) return `${rule}, but no limit is specified or limit is 0`;
  const ratio = limit / request;
  return ratio > quantityToNumber(bound) ? `${rule}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}

/** Init containers run one after the other and before the rest, except those that stay: these run beside all that follow. */
function usageOfPod({ spec }: Draft): Usage {
  const total = (list: keyof Usage): Resources => {
    let sum = (spec?.containers ?? []).map((one: Container) => usageOf(one)[list]).reduce(added, NONE);
    let staying: Resources = NONE;
    let peak: Resources = NONE;
    for (const container of (spec?.initContainers ?? []) as readonly Container[]) {
      const own = usageOf(container)[list];
      if (container.restartPolicy === 'Always') {
        sum = added(sum, own);
        staying = added(staying, own);
        peak = larger(peak, staying);
      } else peak = larger(peak, added(own, staying));
    }
    return { ...larger(sum, peak), ...(spec?.resources?.[list] as Resources | undefined) };
  };
  return { requests: total('requests'), limits: total('limits') };
}

const added = (left: Resources, right: Resources): Resources =>
  combined(left, right, (a, b) => formatQuantity(addQuantities(a, b)));

const larger = (left: Resources, right: Resources): Resources =>
  combined(left, right, (a, b) => (isLess(a, b) ? b : a));

function combined(left: Resources, right: Resources, both: (a: string, b: string) => string): Resources {
  const result: Record<string, string> = { ...left };
  for (const [name, amount] of Object.entries(right)) {
    result[name] = result[name] === undefined ? amount : both(result[name], amount);
  }
  return result;
}
