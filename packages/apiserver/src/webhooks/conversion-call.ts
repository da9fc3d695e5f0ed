import type { Json } from '@capstan/kube';
import type { ConversionCall } from '../crd/index.ts';
import type { WebhookCall } from './call.ts';
import type { ClientConfig } from './configuration.ts';

/** Kubernetes gives conversions this long, whatever the definition says. */
const CONVERSION_TIMEOUT_SECONDS = 30;

/** Asks the conversion webhooks of CustomResourceDefinitions the way admission webhooks are asked. */
export function conversionCall(call: WebhookCall): ConversionCall {
  return (review, webhook) =>
    call(webhook.clientConfig as ClientConfig, review as unknown as Json, CONVERSION_TIMEOUT_SECONDS);
}
