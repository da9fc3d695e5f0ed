/** Everything that can be wrong with a kubeconfig. The message names the thing, its file, and what to do about it. */
export type KubeconfigErrorCode =
  /** None of the places holds a file. */
  | 'KUBECONFIG_MISSING'
  /** A file is there but cannot be read. */
  | 'KUBECONFIG_UNREADABLE'
  | 'KUBECONFIG_BAD_YAML'
  /** It is YAML, but not a kubeconfig: a field has the wrong type. */
  | 'KUBECONFIG_BAD_FIELD'
  /** No context was asked for, and the file names no current one. */
  | 'KUBECONFIG_NO_CONTEXT'
  | 'KUBECONFIG_UNKNOWN_CONTEXT'
  | 'KUBECONFIG_UNKNOWN_CLUSTER'
  | 'KUBECONFIG_UNKNOWN_USER'
  /** Two settings that exclude each other. */
  | 'KUBECONFIG_CONFLICT'
  /** A certificate or key is not one. */
  | 'KUBECONFIG_BAD_CERTIFICATE'
  | 'KUBECONFIG_EXPIRED_CERTIFICATE'
  /** `auth-provider` was removed from Kubernetes in 1.26. */
  | 'KUBECONFIG_AUTH_PROVIDER'
  /** The credential plugin is set up wrongly. */
  | 'KUBECONFIG_EXEC_INVALID'
  /** The credential plugin is missing, failed, or said something else than credentials. */
  | 'KUBECONFIG_EXEC_FAILED'
  /** The kubeconfig comes from someone who may not make us run programs or read files. */
  | 'KUBECONFIG_NOT_ALLOWED'
  | 'KUBECONFIG_NOT_IN_CLUSTER';

export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
  readonly code: KubeconfigErrorCode;
  /** The file at fault, where there is one. */
  readonly file: string | undefined;

  constructor(
    code: KubeconfigErrorCode,
    message: string,
    options: { file?: string | undefined; cause?: unknown } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.file = options.file;
  }
}
