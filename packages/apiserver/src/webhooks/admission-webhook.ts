/** A webhook as a decision: what it takes to write one that lives in this process. */
import type { Json, JsonPatchOperation } from '@capstan/kube';
import type { WebhookFunction } from './call.ts';
import type { AdmissionRequest, AdmissionReview } from './review.ts';

export type Decision =
  | {
      readonly allowed: true;
      /** For mutating webhooks. */
      readonly patch?: readonly JsonPatchOperation[];
      readonly warnings?: readonly string[];
    }
  | {
      readonly allowed: false;
      readonly message?: string;
      readonly reason?: string;
      /** Of the answer to the client; from 400 on. */
      readonly code?: number;
      readonly warnings?: readonly string[];
    };

/**
 * Makes a webhook from a decision about a request.
 *
 * @example
 * const server = await createApiServer({
 *   webhooks: {
 *     functions: {
 *       'https://policy.example.com/names': admissionWebhook(({ name }) =>
 *         name === 'forbidden' ? { allowed: false, message: 'choose another name' } : { allowed: true },
 *       ),
 *     },
 *   },
 * });
 */
export function admissionWebhook(
  decide: (request: AdmissionRequest, signal: AbortSignal) => Decision | Promise<Decision>,
): WebhookFunction {
  return async (review, signal) => {
    const { kind, apiVersion, request } = review as unknown as AdmissionReview;
    const decision = await decide(request, signal);
    return { kind, apiVersion, response: { uid: request.uid, ...response(decision) } };
  };
}

function response(decision: Decision): { [field: string]: Json } {
  const warnings = decision.warnings && { warnings: [...decision.warnings] };
  if (!decision.allowed) {
    const { message, reason, code } = decision;
    const status = {
      ...(message !== undefined && { message }),
      ...(reason !== undefined && { reason }),
      ...(code !== undefined && { code }),
    };
    return { allowed: false, status, ...warnings };
  }
  if (decision.patch === undefined || decision.patch.length === 0) return { allowed: true, ...warnings };
  const patch = Buffer.from(JSON.stringify(decision.patch)).toString('base64');
  return { allowed: true, patchType: 'JSONPatch', patch, ...warnings };
}
