/** What a chart can learn about the cluster: `.Capabilities`. */

import { HelmError } from '../errors.ts';
import type { HelmVersion } from '../version.ts';

export interface KubeVersion {
  /** As the cluster tells it, with a `v`: `v1.33.4-gke.1245000`. */
  readonly version: string;
  /** What ranges are compared with: `v1.33.4`. */
  readonly normalized: string;
  readonly major: string;
  readonly minor: string;
}

export interface Capabilities {
  readonly kubeVersion: KubeVersion;
  /** Groups with versions (`apps/v1`), and kinds where a cluster was asked (`apps/v1/Deployment`). */
  readonly apiVersions: readonly string[];
}

/**
 * Reads a Kubernetes version. Helm 4 keeps what the cluster appends (`-gke.1245000`) in `.Version` and compares without it; Helm 3
 * drops it.
 */
export function parseKubeVersion(text: string, helm: HelmVersion): KubeVersion {
  const match = /^v?(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)((?:\.(?:0|[1-9][0-9]*))*)/.exec(text.trim());
  if (!match) throw new HelmError('ValuesInvalid', `could not parse ${JSON.stringify(text)} as version`);
  const [, major, minor, rest] = match as unknown as [string, string, string, string];
  const normalized = `v${major}.${minor}${rest}`;
  const full = text.startsWith('v') ? text : `v${text}`;
  return { version: helm === 3 ? normalized : full, normalized, major, minor };
}

/** What `helm template` assumes without a cluster: the Kubernetes that this Helm was built for. */
export const defaultKubeVersion: KubeVersion = {
  version: 'v1.37.0',
  normalized: 'v1.37.0',
  major: '1',
  minor: '37',
};

/** Helm's own version as charts see it in `.Capabilities.HelmVersion`. */
export const helmBuild: Readonly<
  Record<HelmVersion, readonly (readonly [name: string, json: string, value: string])[]>
> = {
  3: [
    ['Version', 'version', 'v3.22.0'],
    ['GitCommit', 'git_commit', ''],
    ['GitTreeState', 'git_tree_state', ''],
    ['GoVersion', 'go_version', 'go1.26.8'],
  ],
  4: [
    ['Version', 'version', 'v4.3.1'],
    ['GitCommit', 'git_commit', ''],
    ['GitTreeState', 'git_tree_state', ''],
    ['GoVersion', 'go_version', 'go1.26.8'],
    ['KubeClientVersion', 'kube_client_version', 'v1.37'],
  ],
};
