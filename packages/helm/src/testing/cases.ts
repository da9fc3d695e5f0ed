/** The form of the cases that the oracle answers, and of the fixtures with its answers. */

/** A chart by its files. */
export type ChartFiles = Readonly<Record<string, string>>;

export interface Case {
  readonly name: string;
  readonly chart: string;
  /** YAML texts, as `--values`. */
  readonly values?: readonly string[];
  readonly set?: readonly string[];
  readonly setString?: readonly string[];
  readonly setJson?: readonly string[];
  readonly setLiteral?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly showOnly?: readonly string[];
  readonly kubeVersion?: string;
  readonly includeCrds?: boolean;
  readonly isUpgrade?: boolean;
  readonly noHooks?: boolean;
  readonly skipTests?: boolean;
  /** `helm lint` instead of `helm template`. */
  readonly lint?: boolean;
}

export type Answer = { readonly output: string } | { readonly error: string };

export interface Suite {
  readonly charts: Readonly<Record<string, ChartFiles>>;
  readonly cases: readonly Case[];
}

export interface AnsweredSuite {
  readonly charts: Suite['charts'];
  readonly cases: readonly (Case & { readonly helm3: Answer; readonly helm4: Answer })[];
}
