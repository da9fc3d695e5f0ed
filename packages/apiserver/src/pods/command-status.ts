/** What a client hears last on the error channel of exec and attach. */
import type { Status } from '@capstan/kube';
import { internal } from '../status.ts';

export type LastWord = Partial<Status> & { readonly status: 'Success' | 'Failure'; readonly message?: string };

export const SUCCESS: LastWord = { metadata: {}, status: 'Success' };

export function exited(code: number): LastWord {
  if (code === 0) return SUCCESS;
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: command terminated with exit code ${code}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  };
}

export const failed = (message: string): LastWord => {
  const { kind: _kind, apiVersion: _apiVersion, ...status } = internal(message).status;
  return { ...status, status: 'Failure' };
};

/** From version 4 of the protocols on a Status; before that, a failure was told as text and success by silence. */
export function lastWordText(word: LastWord, protocol: string): string {
  if (/^v[45]\./.test(protocol)) return JSON.stringify(word);
  return word.status === 'Success' ? '' : (word.message ?? '');
}
