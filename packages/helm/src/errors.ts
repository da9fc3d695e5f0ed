/**
 * What charts, values and rendering can fail with. The code is for programs; the message is for people, and is Helm's own wherever
 * Helm has one, because that is what its users search for.
 */

export type HelmErrorCode =
  /** Chart.yaml, Chart.lock, values.yaml or the layout of the chart is wrong. */
  | 'ChartInvalid'
  /** The archive is broken, hostile or larger than the limits. */
  | 'ArchiveRefused'
  /** A values file, `--set` text or the shape of the values is wrong. */
  | 'ValuesInvalid'
  /** The values do not meet `values.schema.json`. */
  | 'SchemaViolated'
  /** A dependency of Chart.yaml is not in `charts/`, or the chart cannot be installed by itself. */
  | 'DependencyMissing'
  /** A template does not parse or failed, or what it wrote is no YAML. */
  | 'RenderFailed'
  /** The chart asks for another version of Kubernetes. */
  | 'KubernetesIncompatible'
  /** No chart, version or file of that name. */
  | 'NotFound'
  /** A repository or registry did not answer as it should. */
  | 'DownloadFailed';

export class HelmError extends Error {
  override name = 'HelmError';
  readonly code: HelmErrorCode;

  constructor(code: HelmErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** An error with words before its message, as Go wraps errors; the code of an inner {@link HelmError} is kept. */
export function withWords(code: HelmErrorCode, words: string, error: unknown): HelmError {
  const inner = error instanceof HelmError ? error.code : code;
  return new HelmError(inner, `${words}: ${(error as Error).message}`, { cause: error });
}

/** Runs a step; what it throws gets words before its message. */
export function explained<T>(code: HelmErrorCode, words: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw withWords(code, words, error);
  }
}
