/** HorizontalPodAutoscaler: how many Pods there shall be, by what is measured. */
import { compareQuantities } from '@capstan/kube';
import { forbiddenValue, invalidValue, requiredValue, unsupportedValue } from '../../field-error.ts';
import type { Draft } from '../../kind.ts';
import { hpaToStorage } from '../hpa-conversion.ts';
import { listOf, own, type Tree } from '../tree.ts';
import { checkOneOf, type Errors, requireText } from './fields.ts';
import { pathSegmentProblems } from './rbac.ts';

/** Version 1 is judged by what it means in version 2. */
export function validateAutoscalerV1(autoscaler: Draft): Errors {
  return validateAutoscaler(hpaToStorage(autoscaler));
}

export function validateAutoscaler(autoscaler: Draft): Errors {
  const errors: Errors = [];
  const spec = (autoscaler['spec'] ?? {}) as Tree;
  const { minReplicas, maxReplicas = 0, scaleTargetRef: target = {} } = spec;
  if (minReplicas !== undefined && minReplicas < 0) {
    errors.push(invalidValue('spec.minReplicas', minReplicas, 'must be greater than or equal to 0'));
  }
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    errors.push(invalidValue('spec.maxReplicas', maxReplicas, 'must be greater than or equal to `minReplicas`'));
  }
  checkReference(errors, 'spec.scaleTargetRef', target);
  checkScalable(errors, target.apiVersion ?? '');
  const metrics = listOf(spec, 'metrics');
  for (const [index, metric] of metrics.entries()) checkMetric(errors, `spec.metrics[${index}]`, metric);
  if (minReplicas === 0 && !metrics.some(({ type }) => type === 'Object' || type === 'External')) {
    const why = 'must specify at least one Object or External metric to support scaling to zero replicas';
    errors.push(forbiddenValue('spec.metrics', why));
  }
  if (spec['behavior']) checkBehavior(errors, spec['behavior']);
  if (maxReplicas === 0) errors.push(requiredValue('spec.maxReplicas'));
  else if (maxReplicas < 0)
    errors.push(invalidValue('spec.maxReplicas', maxReplicas, 'must be greater than or equal to 1'));
  return errors;
}

function checkReference(errors: Errors, path: string, reference: Tree): void {
  for (const field of ['kind', 'name']) {
    requireText(errors, `${path}.${field}`, reference[field], text => pathSegmentProblems(text, false));
  }
}

/** What has /scale is in a group; the core group has nothing but the old ReplicationController. */
function checkScalable(errors: Errors, apiVersion: string): void {
  if (apiVersion === 'v1') return;
  const path = 'spec.scaleTargetRef.apiVersion';
  if (!/^[^/]+\/[^/]+$/.test(apiVersion))
    errors.push(invalidValue(path, apiVersion, 'apiVersion must specify API group'));
}

const MOST_STABILIZATION = 3600;
const MOST_PERIOD = 1800;

function checkBehavior(errors: Errors, behavior: Tree): void {
  for (const direction of ['scaleUp', 'scaleDown']) {
    const rules = behavior[direction] as Tree | undefined;
    if (rules === undefined) continue;
    const at = `spec.behavior.${direction}`;
    const stabilization = rules['stabilizationWindowSeconds'] as number | undefined;
    if (stabilization !== undefined && stabilization < 0) {
      errors.push(
        invalidValue(`${at}.stabilizationWindowSeconds`, stabilization, 'must be greater than or equal to zero'),
      );
    } else if (stabilization !== undefined && stabilization > MOST_STABILIZATION) {
      const why = `must be less than or equal to ${MOST_STABILIZATION}`;
      errors.push(invalidValue(`${at}.stabilizationWindowSeconds`, stabilization, why));
    }
    checkOneOf(errors, `${at}.selectPolicy`, rules['selectPolicy'], ['Disabled', 'Max', 'Min']);
    const policies = listOf(rules, 'policies');
    if (policies.length === 0) errors.push(requiredValue(`${at}.policies`, 'must specify at least one Policy'));
    for (const [index, policy] of policies.entries()) checkPolicy(errors, `${at}.policies[${index}]`, policy);
  }
}

function checkPolicy(errors: Errors, at: string, { type = '', value = 0, periodSeconds = 0 }: Tree): void {
  if (type !== 'Pods' && type !== 'Percent') errors.push(unsupportedValue(`${at}.type`, type, ['Percent', 'Pods']));
  if (value <= 0) errors.push(invalidValue(`${at}.value`, value, 'must be greater than zero'));
  if (periodSeconds <= 0) errors.push(invalidValue(`${at}.periodSeconds`, periodSeconds, 'must be greater than zero'));
  if (periodSeconds > MOST_PERIOD) {
    errors.push(invalidValue(`${at}.periodSeconds`, periodSeconds, `must be less than or equal to ${MOST_PERIOD}`));
  }
}

const METRIC_FIELDS: Readonly<Record<string, string>> = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
};

/** Of several sources the first of these is looked at; the others are one too many anyway. */
const LOOKED_AT = ['Object', 'External', 'Pods', 'Resource', 'ContainerResource'];

function checkMetric(errors: Errors, at: string, metric: Tree): void {
  const type = (metric['type'] ?? '') as string;
  if (type === '') errors.push(requiredValue(`${at}.type`, 'must specify a metric source type'));
  const first = LOOKED_AT.find(sort => metric[METRIC_FIELDS[sort]!] !== undefined);
  if (first !== undefined) checkSource(errors, `${at}.${METRIC_FIELDS[first]}`, first, metric[METRIC_FIELDS[first]!]);
  const field = own(METRIC_FIELDS, type);
  for (const other of Object.values(METRIC_FIELDS)) {
    if (other !== field && metric[other] !== undefined) {
      errors.push(forbiddenValue(`${at}.${other}`, 'must populate the given metric source only'));
    }
  }
  if (field === undefined) {
    errors.push(unsupportedValue(`${at}.type`, type, Object.keys(METRIC_FIELDS)));
    return;
  }
  if (metric[field] === undefined) {
    errors.push(requiredValue(`${at}.${field}`, 'must populate information for the given metric source'));
  }
}

/** One source, be it that of the type or not. */
function checkSource(errors: Errors, path: string, type: string, source: Tree): void {
  if (type.endsWith('Resource')) {
    if (!source['name']) errors.push(requiredValue(`${path}.name`, 'must specify a resource name'));
    if (type === 'ContainerResource' && !source['container']) {
      errors.push(requiredValue(`${path}.container`, 'must specify a container'));
    }
  } else {
    if (type === 'Object') checkReference(errors, `${path}.describedObject`, source['describedObject'] ?? {});
    const name = (source['metric']?.name ?? '') as string;
    if (name === '') errors.push(requiredValue(`${path}.metric.name`, 'must specify a metric name'));
    else
      for (const why of pathSegmentProblems(name, false)) errors.push(invalidValue(`${path}.metric.name`, name, why));
  }
  checkTarget(errors, `${path}.target`, source['target'] ?? {}, type);
}

function checkTarget(errors: Errors, path: string, target: Tree, metric: string): void {
  const { type, averageUtilization, averageValue, value } = target;
  if (!type) errors.push(requiredValue(`${path}.type`, 'must specify a metric target type'));
  if (!['Utilization', 'Value', 'AverageValue'].includes(type)) {
    errors.push(invalidValue(`${path}.type`, type ?? '', 'must be either Utilization, Value, or AverageValue'));
  }
  if (averageUtilization !== undefined && averageUtilization < 1) {
    errors.push(invalidValue(`${path}.averageUtilization`, averageUtilization, 'must be greater than 0'));
  }
  for (const [field, amount] of Object.entries({ value, averageValue })) {
    if (amount !== undefined && compareQuantities(amount, 0) <= 0) {
      errors.push(invalidValue(`${path}.${field}`, amount, 'must be positive'));
    }
  }
  if (metric === 'Object' && value === undefined && averageValue === undefined) {
    errors.push(requiredValue(`${path}.averageValue`, 'must set either a target value or averageValue'));
  }
  if (metric === 'Pods' && averageValue === undefined) {
    errors.push(requiredValue(`${path}.averageValue`, 'must specify a positive target averageValue'));
  }
  if (metric === 'External' && value === undefined && averageValue === undefined) {
    errors.push(requiredValue(`${path}.averageValue`, 'must set either a target value for metric or a per-pod target'));
  }
  if (metric.endsWith('Resource') && averageUtilization === undefined && averageValue === undefined) {
    errors.push(
      requiredValue(`${path}.averageUtilization`, 'must set either a target raw value or a target utilization'),
    );
  }
}
