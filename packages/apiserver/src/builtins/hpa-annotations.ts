/**
 * What of an autoscaler version 1 has no fields for, as the annotations in which it travels. Metrics are written there in an
 * older form, flat where version 2 nests; behavior in Go's own names. Whatever a user wrote there that cannot be read is as
 * if absent.
 */
import { decodeErrors } from './decode-errors.ts';
import { schemaOf } from './schema-graph.ts';
import type { Tree } from './tree.ts';

const V2 = 'io.k8s.api.autoscaling.v2';

/** `target` in a spec, `current` in a status: the prefix of the older names, and the newer object. */
type Side = 'target' | 'current';

const SOURCES = ['resource', 'containerResource', 'pods', 'object', 'external'] as const;
type Source = (typeof SOURCES)[number];

export function metricsToAnnotation(metrics: readonly Tree[], side: Side): string {
  return JSON.stringify(metrics.map(metric => mapSource(metric, (source, value) => flatten(source, value, side))));
}

export function metricsFromAnnotation(text: string | undefined, side: Side): Tree[] | undefined {
  const flat = parsed(text);
  if (!Array.isArray(flat) || !flat.every(isObject)) return undefined;
  const metrics = flat.map(metric => mapSource(metric, (source, value) => nest(source, value, side)));
  return side === 'target'
    ? sound({ metrics }, 'HorizontalPodAutoscalerSpec')?.['metrics']
    : sound({ currentMetrics: metrics }, 'HorizontalPodAutoscalerStatus')?.['currentMetrics'];
}

export function conditionsFromAnnotation(text: string | undefined): Tree[] | undefined {
  return sound({ conditions: parsed(text) }, 'HorizontalPodAutoscalerStatus')?.['conditions'] ?? undefined;
}

function mapSource(metric: Tree, change: (source: Source, value: Tree) => Tree): Tree {
  const source = SOURCES.find(name => isObject(metric[name]));
  return source === undefined ? metric : { ...metric, [source]: change(source, metric[source]) };
}

/** Without the fields that are undefined. */
function defined(tree: Tree): Tree {
  return Object.fromEntries(Object.entries(tree).filter(([, value]) => value !== undefined));
}

function flatten(source: Source, value: Tree, side: Side): Tree {
  const { averageUtilization, averageValue, value: raw } = (value[side] ?? {}) as Tree;
  const { name: metricName, selector } = (value['metric'] ?? {}) as Tree;
  const named = (name: string): string => (side === 'target' ? `target${name}` : `current${name}`);
  switch (source) {
    case 'resource':
    case 'containerResource':
      return defined({
        name: value['name'],
        container: value['container'],
        [named('AverageUtilization')]: averageUtilization,
        [named('AverageValue')]: averageValue,
      });
    case 'pods':
      return defined({ metricName, selector, [named('AverageValue')]: averageValue });
    case 'object':
      return defined({
        target: value['describedObject'],
        metricName,
        selector,
        [named('Value')]: raw ?? '0',
        averageValue,
      });
    case 'external':
      return defined({
        metricName,
        metricSelector: selector,
        [named('Value')]: raw,
        [named('AverageValue')]: averageValue,
      });
  }
}

function nest(source: Source, flat: Tree, side: Side): Tree {
  const get = (name: string): unknown => flat[side === 'target' ? `target${name}` : `current${name}`];
  const averageUtilization = get('AverageUtilization');
  const averageValue = source === 'object' ? flat['averageValue'] : get('AverageValue');
  const value = averageValue === undefined ? get('Value') : undefined;
  const amounts = defined({ averageUtilization, averageValue, value });
  const type = averageUtilization !== undefined ? 'Utilization' : averageValue !== undefined ? 'AverageValue' : 'Value';
  const measured = { [side]: side === 'target' ? { type, ...amounts } : amounts };
  if (source === 'resource' || source === 'containerResource') {
    return defined({ name: flat['name'], container: flat['container'], ...measured });
  }
  const selector = source === 'external' ? flat['metricSelector'] : flat['selector'];
  const metric = defined({ name: flat['metricName'], selector });
  return defined({ describedObject: source === 'object' ? flat['target'] : undefined, metric, ...measured });
}

/** `{ scaleUp: { policies } }` ↔ `{"ScaleUp":{"Policies":…}}`, in which Go writes every field. */
export function behaviorToAnnotation(behavior: Tree): string {
  const rules = (tree: Tree | undefined): unknown =>
    tree === undefined
      ? null
      : {
          StabilizationWindowSeconds: tree['stabilizationWindowSeconds'] ?? null,
          SelectPolicy: tree['selectPolicy'] ?? null,
          Policies:
            ((tree['policies'] ?? null) as Tree[] | null)?.map(policy => ({
              Type: policy['type'],
              Value: policy['value'],
              PeriodSeconds: policy['periodSeconds'],
            })) ?? null,
          Tolerance: tree['tolerance'] ?? null,
        };
  return JSON.stringify({ ScaleUp: rules(behavior['scaleUp']), ScaleDown: rules(behavior['scaleDown']) });
}

export function behaviorFromAnnotation(text: string | undefined): Tree | undefined {
  const value = lowerKeys(parsed(text));
  if (!isObject(value) || Object.keys(value).length === 0) return undefined;
  return sound({ behavior: value }, 'HorizontalPodAutoscalerSpec')?.['behavior'];
}

/** Go's decoder does not care about the case of field names; nulls are as absent. */
function lowerKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowerKeys);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, child]) => child !== null);
  return Object.fromEntries(
    entries.map(([key, child]) => [key.slice(0, 1).toLowerCase() + key.slice(1), lowerKeys(child)]),
  );
}

function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The object where its types are those of the definition. */
function sound(object: Tree, definition: string): Tree | undefined {
  return decodeErrors(object, schemaOf(`${V2}.${definition}`)).length === 0 ? object : undefined;
}

function isObject(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
