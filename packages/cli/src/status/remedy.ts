/** What to do when a cluster cannot be reached. */
import { KubeconfigError, TransportError } from '@capstan/kube';
import { UnknownUserError } from './observe.ts';

/** Undefined: the error is not about reaching the cluster. */
export function remedyFor(error: unknown): string | undefined {
  if (error instanceof UnknownUserError) {
    return 'Take the kubeconfig that the cluster wrote at its last start (capstan up prints its path), or log in anew.';
  }
  if (error instanceof KubeconfigError) {
    return error.code === 'KUBECONFIG_MISSING'
      ? 'Start a cluster with "capstan up" (npm start), or name a kubeconfig with --kubeconfig.'
      : 'Mend the kubeconfig, or name another one with --kubeconfig and --context.';
  }
  if (error instanceof TransportError) return remedyForTransport(error.code);
  return undefined;
}

function remedyForTransport(code: string): string {
  switch (code) {
    case 'ECONNREFUSED':
      return 'Nothing listens there. If it is the cluster of this machine, start it with "capstan up" (npm start).';
    case 'ETLS':
      return 'Something else may have taken its port since, or the cluster was made anew: take its new kubeconfig.';
    case 'ECREDENTIALS':
      return 'Log in anew, or name another user by its --context.';
    case 'ETIMEDOUT':
      return 'Check that the cluster is up and that the network leads to it, and try again.';
    default:
      return 'Check the address in the kubeconfig, the network and the proxy settings.';
  }
}
