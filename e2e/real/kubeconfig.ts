/** A kubeconfig for one server and one token; JSON is YAML, so every reader takes it. */
export function kubeconfig({ url, caData, token }: { url: string; caData: string; token: string }): string {
  return JSON.stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'real', cluster: { server: url, 'certificate-authority-data': caData } }],
      users: [{ name: 'admin', user: { token } }],
      contexts: [{ name: 'real', context: { cluster: 'real', user: 'admin' } }],
      'current-context': 'real',
    },
    null,
    2,
  );
}
