/** PodLogOptions, read from a query and checked as Kubernetes does. */
import { type FieldError, forbiddenValue, invalidValue } from '../field-error.ts';
import { booleanParameter, integerParameter } from '../request.ts';
import { badRequest, invalid } from '../status.ts';

export interface LogOptions {
  readonly container: string | undefined;
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
  /** Milliseconds since the epoch. */
  readonly since: number | undefined;
}

export function logOptions(query: URLSearchParams, podName: string, now: number): LogOptions {
  const sinceSeconds = integerParameter(query, 'sinceSeconds');
  const sinceTime = timeParameter(query, 'sinceTime');
  const tailLines = integerParameter(query, 'tailLines');
  const limitBytes = integerParameter(query, 'limitBytes');

  const errors: FieldError[] = [];
  if (tailLines !== undefined && tailLines < 0) {
    errors.push(invalidValue('tailLines', tailLines, 'must be greater than or equal to 0'));
  }
  if (limitBytes !== undefined && limitBytes < 1) {
    errors.push(invalidValue('limitBytes', limitBytes, 'must be greater than 0'));
  }
  if (sinceSeconds !== undefined && sinceTime !== undefined) {
    errors.push(forbiddenValue('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    errors.push(invalidValue('sinceSeconds', sinceSeconds, 'must be greater than 0'));
  }
  // Behind a feature gate that is off by default in Kubernetes 1.37.
  if (query.has('stream')) errors.push(forbiddenValue('stream', 'may not be specified'));
  if (errors.length > 0) throw invalid({ group: '', plural: 'pods', kind: 'PodLogOptions' }, podName, errors);

  return {
    container: query.get('container') ?? undefined,
    follow: booleanParameter(query, 'follow'),
    previous: booleanParameter(query, 'previous'),
    timestamps: booleanParameter(query, 'timestamps'),
    tailLines,
    limitBytes,
    since: sinceSeconds === undefined ? sinceTime : now - sinceSeconds * 1000,
  };
}

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

function timeParameter(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '' || text === 'null') return undefined;
  const time = RFC_3339.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) {
    const layout = '2006-01-02T15:04:05Z07:00';
    const quoted = JSON.stringify(text);
    throw badRequest(`parsing time ${quoted} as "${layout}": cannot parse ${quoted} as "2006"`);
  }
  return time;
}
