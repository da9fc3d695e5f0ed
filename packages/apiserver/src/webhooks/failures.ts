/** How a request fails on account of a webhook, in Kubernetes' words. */
import type { Status } from '@capstan/kube';
import { goQuote } from '../schema/go-text.ts';
import type { JsonObject } from '../schema/json.ts';
import { badRequest, StatusError } from '../status.ts';

/** The webhook could not be asked, or its answer not be used: what happens then is up to its failure policy. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';

  /** `why` is what Kubernetes says after the name of the webhook. */
  constructor(webhook: string, why: string) {
    super(`failed calling webhook ${goQuote(webhook)}: ${why}`);
  }
}

/** The webhook said no. Whatever it says about it goes out, but never as a success. */
export function denied(webhook: string, result: JsonObject = {}): StatusError {
  const { message, reason, code, status, ...rest } = result;
  const by = `admission webhook ${goQuote(webhook)} denied the request`;
  const why = message || reason;
  const given = typeof code === 'number' && code >= 400 ? code : 400;
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    ...rest,
    status: status && status !== 'Success' ? status : 'Failure',
    message: why ? `${by}: ${String(why)}` : `${by} without explanation`,
    ...(reason && { reason }),
    code: given,
  } as unknown as Status & { code: number });
}

export const dryRunUnsupported = (webhook: string): StatusError =>
  badRequest(`admission webhook ${goQuote(webhook)} does not support dry run`);
