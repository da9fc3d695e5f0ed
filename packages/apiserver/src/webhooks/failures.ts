/** How a request fails on account of a webhook, in Kubernetes' words. */
import type { Json, Status } from '@capstan/kube';
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
  const { message, reason, code, status, details } = result;
  const by = `admission webhook ${goQuote(webhook)} denied the request`;
  const why = message || reason;
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: status && status !== 'Success' ? status : 'Failure',
    message: why ? `${by}: ${String(why)}` : `${by} without explanation`,
    ...(reason && { reason }),
    ...(details && { details }),
    code: refusalCode(code),
  } as unknown as Status & { code: number });
}

/** HTTP knows three digits. */
function refusalCode(given: Json | undefined): number {
  if (typeof given !== 'number' || given < 400) return 400;
  return Number.isInteger(given) && given <= 999 ? given : 500;
}

export const dryRunUnsupported = (webhook: string): StatusError =>
  badRequest(`admission webhook ${goQuote(webhook)} does not support dry run`);
