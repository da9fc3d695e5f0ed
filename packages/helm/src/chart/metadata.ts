/** What `Chart.yaml` says. The names are those of the file and of Helm's release JSON; what is empty is left out, as Helm does. */

import type { ValuesNode } from '../values/values.ts';

export interface Maintainer {
  readonly name?: string;
  readonly email?: string;
  readonly url?: string;
}

/** One entry of `dependencies`. */
export interface Dependency {
  readonly name: string;
  /** A version or a range. */
  readonly version?: string;
  readonly repository: string;
  /** Comma-separated paths into the values; the first that is a boolean decides. */
  readonly condition?: string;
  readonly tags?: readonly string[];
  /** Set by processing; what the file says has no effect. */
  readonly enabled?: boolean;
  /** A name below the child's `exports`, or `{ child, parent }`. */
  readonly 'import-values'?: readonly ValuesNode[];
  readonly alias?: string;
}

export interface Metadata {
  readonly name: string;
  readonly home?: string;
  readonly sources?: readonly string[];
  readonly version: string;
  readonly description?: string;
  readonly keywords?: readonly string[];
  readonly maintainers?: readonly Maintainer[];
  readonly icon?: string;
  /** `v1` or `v2`. */
  readonly apiVersion: string;
  readonly condition?: string;
  readonly tags?: string;
  readonly appVersion?: string;
  readonly deprecated?: boolean;
  readonly annotations?: Readonly<Record<string, string>>;
  /** A range of Kubernetes versions. */
  readonly kubeVersion?: string;
  readonly dependencies?: readonly Dependency[];
  /** `application` (the default) or `library`. */
  readonly type?: string;
}
