/** What a Pod refers to by name: its environment and its volumes are made of it. */
import type { PodSpec } from '@capstan/kube';
import { containersOf } from './pod/container-facts.ts';

export interface References {
  readonly configMaps: ReadonlySet<string>;
  readonly secrets: ReadonlySet<string>;
  readonly claims: ReadonlySet<string>;
}

export function referencesOf(spec: PodSpec): References {
  const volumes = spec.volumes ?? [];
  const projected = volumes.flatMap(volume => volume.projected?.sources ?? []);
  const containers = containersOf(spec);
  const env = containers.flatMap(container => container.env ?? []).map(({ valueFrom }) => valueFrom);
  const envFrom = containers.flatMap(container => container.envFrom ?? []);
  return {
    configMaps: names([
      ...volumes.map(({ configMap }) => configMap?.name),
      ...projected.map(({ configMap }) => configMap?.name),
      ...env.map(from => from?.configMapKeyRef?.name),
      ...envFrom.map(({ configMapRef }) => configMapRef?.name),
    ]),
    secrets: names([
      ...volumes.map(({ secret }) => secret?.secretName),
      ...projected.map(({ secret }) => secret?.name),
      ...env.map(from => from?.secretKeyRef?.name),
      ...envFrom.map(({ secretRef }) => secretRef?.name),
    ]),
    claims: names(volumes.map(volume => volume.persistentVolumeClaim?.claimName)),
  };
}

function names(found: readonly (string | undefined)[]): Set<string> {
  return new Set(found.filter(name => name !== undefined));
}
