/** Renders a chart: dependencies, values, templates, documents. */

import type { Limits, System } from '@capstan/gotemplate';
import { type Chart, crdsOf } from '../chart/chart.ts';
import { checkInstallable } from '../dependencies/check.ts';
import { isCompatible } from '../dependencies/compatible.ts';
import { processDependencies } from '../dependencies/process.ts';
import { explained, HelmError } from '../errors.ts';
import { coalesceValues } from '../values/coalesce.ts';
import { validateValues } from '../values/schema.ts';
import { templateMap } from '../values/template-value.ts';
import { copyValues, type Values } from '../values/values.ts';
import { defaultHelmVersion, type HelmVersion } from '../version.ts';
import { defaultApiVersions } from './api-versions.ts';
import { type Capabilities, defaultKubeVersion, parseKubeVersion } from './capabilities.ts';
import { capabilitiesObject, type ReleaseContext, releaseObject } from './cluster-objects.ts';
import { type LookupFunction, runTemplates } from './engine.ts';
import { sortManifests } from './manifests.ts';
import { manifestText, type PostRenderer, postRendered } from './post-render.ts';
import type { Rendered } from './rendered.ts';
import { renderables } from './scope.ts';

export interface RenderOptions {
  /** The user's values, over the chart's defaults. */
  readonly values?: Values;
  /** Default: `release-name` in `default`, revision 1, an install. */
  readonly release?: Partial<ReleaseContext>;
  /** Default: the Kubernetes that this Helm was built for. */
  readonly kubeVersion?: string;
  /** What the cluster serves, in place of the list of that Kubernetes. */
  readonly apiVersions?: readonly string[];
  /** More than that. */
  readonly extraApiVersions?: readonly string[];
  /** Which Helm to be. Default: 4. */
  readonly helm?: HelmVersion;
  /** Put the files of `crds/` before the manifest. */
  readonly includeCrds?: boolean;
  /** Notes of subcharts too. */
  readonly subNotes?: boolean;
  readonly skipSchemaValidation?: boolean;
  /** Answers `lookup`. Without it every lookup finds nothing, as on a client-side dry run. */
  readonly lookup?: LookupFunction;
  /** Changes the documents before they are sorted (Helm 4) or the whole manifest (Helm 3). */
  readonly postRenderer?: PostRenderer;
  /** Time and randomness, for tests. */
  readonly system?: Partial<System>;
  /** For all templates of the chart together; what is not given is gotemplate's default. */
  readonly limits?: Partial<Limits>;
}

/**
 * What a chart gives with these values. Throws a HelmError with Helm's words.
 *
 * ```ts
 * const { manifest, hooks, notes } = render(await loadChart('./shop'), {
 *   values: { replicas: 3 },
 *   release: { name: 'shop', namespace: 'web' },
 * });
 * ```
 */
export function render(chart: Chart, options: RenderOptions = {}): Rendered {
  const helm = options.helm ?? defaultHelmVersion;
  checkInstallable(chart, helm);
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  if (chart.metadata.deprecated) warn('this chart is deprecated');
  const given = copyValues(options.values ?? {});
  const choose = () => processDependencies(chart, given, { helm, warn });
  const processed = helm === 3 ? choose() : explained('ValuesInvalid', 'chart dependencies processing failed', choose);
  const capabilities = capabilitiesOf(options, helm);
  const values = coalesceValues(processed, given, { helm, warn });
  if (!options.skipSchemaValidation) validateValues(processed, values);
  checkKubernetes(processed, capabilities, helm);
  const files = runTemplates(
    renderables(processed, templateMap(values), {
      release: releaseObject({
        name: 'release-name',
        namespace: 'default',
        revision: 1,
        isUpgrade: false,
        ...options.release,
      }),
      capabilities: capabilitiesObject(capabilities, helm),
      helm,
    }),
    { helm, lookup: options.lookup, system: options.system, limits: options.limits },
  );
  const notes = takeNotes(files, chart.metadata.name, options.subNotes ?? false);
  const shaped = helm === 4 && options.postRenderer ? postRendered(files, options.postRenderer) : files;
  const { hooks, manifests } = sortManifests(shaped, helm, warn);
  const crds = crdsOf(processed);
  const text = manifestText(options.includeCrds ? crds : [], manifests);
  const manifest = helm === 3 && options.postRenderer ? options.postRenderer(text) : text;
  return { chart: processed, values, hooks, manifests, manifest, notes, crds, warnings };
}

function capabilitiesOf(options: RenderOptions, helm: HelmVersion): Capabilities {
  const kubeVersion =
    options.kubeVersion === undefined
      ? defaultKubeVersion
      : explained('ValuesInvalid', `invalid kube version '${options.kubeVersion}'`, () =>
          parseKubeVersion(options.kubeVersion!, helm),
        );
  const apiVersions = [...(options.apiVersions ?? defaultApiVersions), ...(options.extraApiVersions ?? [])];
  return { kubeVersion, apiVersions };
}

function checkKubernetes(chart: Chart, { kubeVersion }: Capabilities, helm: HelmVersion): void {
  const range = chart.metadata.kubeVersion;
  if (!range || isCompatible(range, kubeVersion.normalized)) return;
  const version = helm === 3 ? kubeVersion.normalized : kubeVersion.version;
  throw new HelmError(
    'KubernetesIncompatible',
    `chart requires kubeVersion: ${range} which is incompatible with Kubernetes ${version}`,
  );
}

/** Notes are rendered like all files, and are no manifest. */
function takeNotes(files: Map<string, string>, chart: string, withSubcharts: boolean): string {
  const notes: string[] = [];
  for (const [name, text] of [...files].filter(([path]) => path.endsWith('NOTES.txt'))) {
    if (withSubcharts || name === `${chart}/templates/NOTES.txt`) notes.push(text);
    files.delete(name);
  }
  return notes.join('\n');
}
