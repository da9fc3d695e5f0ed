/** A kubeconfig as data. Paths in it are absolute already: each file's own are resolved against where that file lies. */

export interface Kubeconfig {
  readonly currentContext: string | undefined;
  readonly contexts: Readonly<Record<string, KubeconfigContext>>;
  readonly clusters: Readonly<Record<string, KubeconfigCluster>>;
  readonly users: Readonly<Record<string, KubeconfigUser>>;
}

export interface KubeconfigContext {
  readonly cluster: string | undefined;
  readonly user: string | undefined;
  readonly namespace: string | undefined;
  /** The file that it comes from, for messages; undefined if it was given as text. */
  readonly file: string | undefined;
}

export interface KubeconfigCluster {
  readonly server: string | undefined;
  readonly tlsServerName: string | undefined;
  readonly insecure: boolean;
  readonly authority: Material | undefined;
  readonly proxyUrl: string | undefined;
  /** What the cluster has to say to credential plugins: the extension `client.authentication.k8s.io/exec`. */
  readonly execConfig: unknown;
  readonly file: string | undefined;
}

export interface KubeconfigUser {
  readonly certificate: Material | undefined;
  readonly key: Material | undefined;
  readonly token: string | undefined;
  readonly tokenFile: string | undefined;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly impersonate: {
    readonly user: string | undefined;
    readonly uid: string | undefined;
    readonly groups: readonly string[];
    readonly extra: Readonly<Record<string, readonly string[]>>;
  };
  readonly authProvider: string | undefined;
  readonly exec: KubeconfigExec | undefined;
  readonly file: string | undefined;
}

/** A certificate or key: in the kubeconfig itself, or in a file beside it. */
export interface Material {
  /** The name of the field, for messages: `client-certificate`. */
  readonly field: string;
  /** Base64. */
  readonly data: string | undefined;
  readonly path: string | undefined;
}

export interface KubeconfigExec {
  readonly apiVersion: string | undefined;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly installHint: string | undefined;
  readonly provideClusterInfo: boolean;
  readonly interactiveMode: string | undefined;
}
