/** What an autoscaler aims at and what it measured: `cpu: 40%/80%, 250/1k (avg) + 1 more...`. */
import { shortened } from './shortened.ts';

/** One entry of `spec.metrics` (with `target`) or of `status.currentMetrics` (with `current`) of autoscaling/v2. */
export type Metric = { readonly type?: string } & {
  readonly [Source in MetricSource]?: {
    readonly name?: string;
    readonly target?: Amount;
    readonly current?: Amount;
  };
};

type MetricSource = 'external' | 'pods' | 'object' | 'resource' | 'containerResource';

interface Amount {
  readonly value?: string;
  readonly averageValue?: string;
  readonly averageUtilization?: number;
}

const UNKNOWN = '<unknown>';
const NIL = '<nil>';
/** A cell has room for as many. */
const MOST_SHOWN = 2;

/** The status of a metric stands at the same place as its specification. */
export function metricsText(specs: readonly Metric[], statuses: readonly Metric[]): string {
  if (specs.length === 0) return '<none>';
  return shortened(
    specs.map((spec, index) => metricText(spec, statuses[index] ?? {})),
    MOST_SHOWN,
    ', ',
  );
}

function metricText(spec: Metric, status: Metric): string {
  switch (spec.type) {
    case 'External':
      return valueText(spec.external?.target, status.external?.current);
    case 'Object':
      return valueText(spec.object?.target, status.object?.current);
    case 'Pods':
      return `${measured(status.pods?.current, 'averageValue')}/${spec.pods?.target?.averageValue ?? NIL}`;
    case 'Resource':
      return `${spec.resource?.name}: ${usageText(spec.resource?.target, status.resource?.current)}`;
    case 'ContainerResource':
      return `${spec.containerResource?.name}: ${usageText(spec.containerResource?.target, status.containerResource?.current)}`;
    default:
      return '<unknown type>';
  }
}

/** Of a metric that belongs to something else than Pods: its value, or its share for each Pod. */
function valueText(target: Amount | undefined, current: Amount | undefined): string {
  if (target?.averageValue !== undefined) return `${current?.averageValue ?? UNKNOWN}/${target.averageValue} (avg)`;
  return `${measured(current, 'value')}/${target?.value ?? NIL}`;
}

function usageText(target: Amount | undefined, current: Amount | undefined): string {
  if (target?.averageValue !== undefined) return `${measured(current, 'averageValue')}/${target.averageValue}`;
  const percent = (amount: number | undefined, missing: string): string =>
    amount === undefined ? missing : `${amount}%`;
  return `${percent(current?.averageUtilization, UNKNOWN)}/${percent(target?.averageUtilization, '<auto>')}`;
}

/** Where something was measured at all, an amount that is not told is printed as Go prints it. */
const measured = (current: Amount | undefined, field: 'value' | 'averageValue'): string =>
  current === undefined ? UNKNOWN : (current[field] ?? NIL);
