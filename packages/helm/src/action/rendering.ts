/** How an action gets a chart rendered, and what a release keeps of it. */
import { createHash } from 'node:crypto';
import { apiVersionOf, type Json, type Resource } from '@capstan/kube';
import type { Chart, ChartFile } from '../chart/chart.ts';
import { canonicalJson } from '../release/encode.ts';
import type { Hook, HookDeletePolicy, StoredChart, StoredFile } from '../release/release.ts';
import type { Rendered } from '../render/rendered.ts';
import { toJson, type Values } from '../values/values.ts';
import type { Helm } from './context.ts';

/** What templates are told about the release and the cluster. */
export interface RenderRequest {
  readonly chart: Chart;
  readonly values: Values;
  readonly release: {
    readonly name: string;
    readonly namespace: string;
    readonly revision: number;
    readonly isUpgrade: boolean;
  };
  readonly capabilities: Capabilities;
  /** Whether `lookup` asks the cluster. */
  readonly live: boolean;
  readonly skipSchemaValidation: boolean;
  /** Notes of subcharts too. */
  readonly subNotes?: boolean | undefined;
}

export interface Capabilities {
  /** `v1.34.0`. */
  readonly kubeVersion: string;
  /** `apps/v1` and `apps/v1/Deployment`, for everything there is. */
  readonly apiVersions: readonly string[];
}

export type Renderer = (helm: Helm, request: RenderRequest) => Promise<Rendered>;

/** What the cluster can do, the chart's own definitions included: they will be there before the first object. */
export async function capabilitiesOf(helm: Helm, definitions: readonly Resource[]): Promise<Capabilities> {
  const [{ body }, resources] = await Promise.all([
    helm.client.request({ method: 'GET', path: '/version' }),
    helm.discovery.resources(),
  ]);
  const words = [...resources, ...definitions].flatMap(each => [
    apiVersionOf(each),
    `${apiVersionOf(each)}/${each.kind}`,
  ]);
  const { gitVersion } = body as { gitVersion: string };
  return { kubeVersion: gitVersion, apiVersions: [...new Set(words)].sort() };
}

/** The chart as Helm stores it. */
export function storedChart(chart: Chart): StoredChart {
  return {
    metadata: chart.metadata as unknown as StoredChart['metadata'],
    lock: chart.lock as unknown as Json,
    templates: chart.templates.map(storedFile),
    values: toJson(chart.values),
    schema: chart.schema === null ? null : base64(chart.schema),
    files: chart.files.map(storedFile),
  };
}

const base64 = (data: Uint8Array): string => Buffer.from(data).toString('base64');
const storedFile = ({ name, data }: ChartFile): StoredFile => ({ name, data: base64(data) });

/** The other way, as far as a release goes: subcharts are not stored. */
export function chartFromStored({ metadata, lock, templates, values, schema, files }: StoredChart): Chart {
  const file = ({ name, data }: StoredFile): ChartFile => ({ name, data: Buffer.from(data, 'base64') });
  return {
    metadata: (metadata ?? { name: '', version: '', apiVersion: 'v2' }) as unknown as Chart['metadata'],
    lock: lock as unknown as Chart['lock'],
    templates: (templates ?? []).map(file),
    values: values ?? {},
    schema: schema === null ? null : Buffer.from(schema, 'base64'),
    files: (files ?? []).map(file),
    raw: [],
    dependencies: [],
  };
}

export function storedHooks({ hooks }: Rendered): Hook[] {
  return hooks.map(({ name, kind, path, manifest, events, weight, deletePolicies, outputLogPolicies }) => ({
    name,
    kind,
    path,
    manifest,
    events,
    last_run: { phase: '' },
    ...(weight !== 0 && { weight }),
    ...(deletePolicies.length > 0 && { delete_policies: deletePolicies as readonly HookDeletePolicy[] }),
    ...(outputLogPolicies.length > 0 && { output_log_policies: outputLogPolicies }),
  }));
}

/**
 * A name for what is asked: the same chart with the same values gives the same, whatever its templates make of it. So a run that was
 * cut off is found again although templates may use chance.
 */
export function intentOf(operation: string, what: unknown, chart?: Chart): string {
  const hash = createHash('sha256').update(`${operation}\n${canonicalJson(what)}\n`);
  if (chart) hashChart(hash, chart);
  return hash.digest('hex').slice(0, 32);
}

function hashChart(hash: ReturnType<typeof createHash>, chart: Chart): void {
  hash.update(canonicalJson([chart.metadata, toJson(chart.values)]));
  for (const { name, data } of [...chart.templates, ...chart.files]) hash.update(`\n${name}\n`).update(data);
  for (const child of chart.dependencies) hashChart(hash, child);
}
