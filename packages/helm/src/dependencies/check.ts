import type { Chart } from '../chart/chart.ts';
import { HelmError } from '../errors.ts';
import type { HelmVersion } from '../version.ts';

/** Refuses a chart whose Chart.yaml names dependencies that are not in `charts/`. */
export function checkDependencies(chart: Chart): void {
  const present = new Set(chart.dependencies.map(child => child.metadata.name));
  const missing = (chart.metadata.dependencies ?? []).map(wanted => wanted.name).filter(name => !present.has(name));
  if (missing.length === 0) return;
  const names = missing.join(', ');
  throw new HelmError('DependencyMissing', `found in Chart.yaml, but missing in charts/ directory: ${names}`);
}

/** Refuses what cannot be installed: library charts, and charts with dependencies missing. */
export function checkInstallable(chart: Chart, helm: HelmVersion): void {
  const { type } = chart.metadata;
  if (type !== undefined && type !== 'application') {
    throw new HelmError('DependencyMissing', `${type} charts are not installable`);
  }
  try {
    checkDependencies(chart);
  } catch (error) {
    const words =
      helm === 3
        ? 'An error occurred while checking for chart dependencies. You may need to run `helm dependency build` to fetch missing dependencies'
        : "an error occurred while checking for chart dependencies. You may need to run 'helm dependency build' to fetch missing dependencies";
    throw new HelmError('DependencyMissing', `${words}: ${(error as Error).message}`);
  }
}
