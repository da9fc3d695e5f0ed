export interface KubeconfigEntry {
  /** Of the context, the cluster and the user alike. */
  readonly name: string;
  readonly server: string;
  /** Certificates of the authorities to trust (PEM). */
  readonly authority?: string;
  readonly credential: { readonly token: string } | { readonly certificate: string; readonly key: string };
  readonly namespace?: string;
}

/** The text of a kubeconfig for one cluster, in YAML. It holds a secret: write it with mode 0600. */
export async function kubeconfigText(entry: KubeconfigEntry): Promise<string> {
  const { stringify } = await import('yaml');
  const { name, server, authority, credential, namespace } = entry;
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const cluster = { server, ...(authority === undefined ? {} : { 'certificate-authority-data': base64(authority) }) };
  const user =
    'token' in credential
      ? { token: credential.token }
      : { 'client-certificate-data': base64(credential.certificate), 'client-key-data': base64(credential.key) };
  const context = { cluster: name, user: name, ...(namespace === undefined ? {} : { namespace }) };
  const document = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    contexts: [{ name, context }],
    clusters: [{ name, cluster }],
    users: [{ name, user }],
  };
  // Base64 stays on one line: some readers do not fold it back.
  return stringify(document, { lineWidth: 0 });
}
