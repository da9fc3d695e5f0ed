export { withWebhooks } from './admission.ts';
export { admissionWebhook, type Decision } from './admission-webhook.ts';
export type { WebhookFunction, WebhookOptions } from './call.ts';
export { conversionCall } from './conversion-call.ts';
export { openWebhookCall, type WebhookCalls } from './open.ts';
export type { AdmissionRequest } from './review.ts';
export { WebhookList } from './webhook-list.ts';
