/** What a MutatingWebhookConfiguration or ValidatingWebhookConfiguration says, made ready to be asked about requests. */
import { type LabelMatcher, type LabelSelector, labelSelectorMatcher } from '@capstan/kube';
import type { Stored } from '../kind.ts';
import { type ConditionSpec, MatchConditions } from './match-conditions.ts';
import type { Rule } from './rule.ts';

/** Where a webhook is: exactly one of the two. */
export interface ClientConfig {
  readonly url?: string;
  readonly service?: ServiceReference;
  /** PEM in base64; without it, the authorities that the machine trusts. */
  readonly caBundle?: string;
}

export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly path?: string;
  readonly port?: number;
}

export type WebhookType = 'mutating' | 'validating';

export interface Webhook {
  readonly type: WebhookType;
  readonly name: string;
  /** Of this webhook among all: two configurations may name theirs alike. */
  readonly id: string;
  readonly client: ClientConfig;
  readonly rules: readonly Rule[];
  readonly matchPolicy: 'Exact' | 'Equivalent';
  readonly namespaceSelector: LabelMatcher;
  readonly objectSelector: LabelMatcher;
  readonly conditions: MatchConditions;
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly timeoutSeconds: number;
  readonly sideEffects: string | undefined;
  /** Asked a second time when something changed the object after it. */
  readonly isReinvocable: boolean;
  readonly reviewVersions: readonly string[];
}

interface WebhookSpec {
  readonly name: string;
  readonly clientConfig: ClientConfig;
  readonly rules?: readonly Rule[];
  readonly failurePolicy?: Webhook['failurePolicy'];
  readonly matchPolicy?: Webhook['matchPolicy'];
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
  readonly matchConditions?: readonly ConditionSpec[];
  readonly sideEffects?: string;
  readonly timeoutSeconds?: number;
  readonly admissionReviewVersions?: readonly string[];
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded';
}

/** Kubernetes waits this long unless told otherwise. */
const DEFAULT_TIMEOUT_SECONDS = 10;

/** A configuration never changes for the same stored version, and forks share stored versions. */
const compiled = new WeakMap<Stored, readonly Webhook[]>();

/** The webhooks of a stored configuration, in its order. */
export function webhooksOf(type: WebhookType, configuration: Stored): readonly Webhook[] {
  let webhooks = compiled.get(configuration);
  if (!webhooks) {
    const specs = (configuration['webhooks'] ?? []) as readonly WebhookSpec[];
    webhooks = specs.map(spec => compile(type, configuration.metadata.name!, spec));
    compiled.set(configuration, webhooks);
  }
  return webhooks;
}

function compile(type: WebhookType, configuration: string, spec: WebhookSpec): Webhook {
  const failurePolicy = spec.failurePolicy ?? 'Fail';
  return {
    type,
    name: spec.name,
    id: `${configuration}/${spec.name}`,
    client: spec.clientConfig,
    rules: spec.rules ?? [],
    matchPolicy: spec.matchPolicy ?? 'Equivalent',
    namespaceSelector: labelSelectorMatcher(spec.namespaceSelector ?? {}),
    objectSelector: labelSelectorMatcher(spec.objectSelector ?? {}),
    conditions: new MatchConditions(spec.matchConditions ?? [], failurePolicy),
    failurePolicy,
    timeoutSeconds: spec.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS,
    sideEffects: spec.sideEffects,
    isReinvocable: spec.reinvocationPolicy === 'IfNeeded',
    reviewVersions: spec.admissionReviewVersions ?? [],
  };
}
