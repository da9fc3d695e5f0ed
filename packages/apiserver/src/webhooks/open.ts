/** The ways that one server has to its webhooks. */
import { type Clock, type Random, systemClock } from '@capstan/kube';
import type { Store } from '../store/store.ts';
import { inProcessCall, refuseCalls, type WebhookCall, type WebhookOptions } from './call.ts';
import { httpsCaller } from './https-call.ts';

export interface WebhookCalls {
  readonly call: WebhookCall;
  close(): void;
}

export function openWebhookCall(
  world: { readonly store: Store; readonly clock: Clock; readonly random: Random },
  options: WebhookOptions = {},
): WebhookCalls {
  const { store, clock, random } = world;
  const { functions = {}, network = clock === systemClock } = options;
  const https = network ? httpsCaller(clock, store, random) : undefined;
  return {
    call: inProcessCall(functions, world, https?.call ?? refuseCalls),
    close: () => https?.close(),
  };
}
