/** The webhooks of all configurations in the order in which they are asked, and which of them a kind of request can concern. */
import type { KindDefinition } from '../kind.ts';
import type { Kinds } from '../kinds.ts';
import { tableOf } from '../storage.ts';
import type { Store } from '../store/store.ts';
import { type Webhook, type WebhookType, webhooksOf } from './configuration.ts';
import { type Operation, type Rule, ruleMatches } from './rule.ts';

const TABLES: Readonly<Record<WebhookType, string>> = {
  mutating: 'admissionregistration.k8s.io/mutatingwebhookconfigurations',
  validating: 'admissionregistration.k8s.io/validatingwebhookconfigurations',
};

/** A webhook with a rule for a request, and the version of the resource that the rule names. */
export interface Invocation {
  readonly webhook: Webhook;
  readonly resource: KindDefinition;
}

export interface RequestShape {
  readonly operation: Operation;
  readonly resource: KindDefinition;
  readonly subresource: string;
}

const NONE: readonly Invocation[] = [];

/**
 * Follows the stored configurations. What the rules say of a kind of request is worked out once, when the first of it comes, so
 * that a write that no webhook is about pays for one look into a map.
 */
export class WebhookList {
  readonly #kinds: Kinds;
  readonly #store: Store;
  readonly #webhooks: Record<WebhookType, readonly Webhook[]> = { mutating: [], validating: [] };
  #known = new WeakMap<KindDefinition, Map<string, readonly Invocation[]>>();
  readonly #subscriptions: readonly (() => void)[];

  constructor(store: Store, kinds: Kinds) {
    this.#store = store;
    this.#kinds = kinds;
    const types = Object.keys(TABLES) as WebhookType[];
    for (const type of types) this.#read(type);
    this.#subscriptions = types.map(type => store.watch(TABLES[type], store.revision, () => this.#read(type)));
  }

  stop(): void {
    for (const unsubscribe of this.#subscriptions) unsubscribe();
  }

  /** The webhooks whose rules are about such requests, in order. Selectors and conditions are still to be asked. */
  about(type: WebhookType, shape: RequestShape): readonly Invocation[] {
    const webhooks = this.#webhooks[type];
    if (webhooks.length === 0 || isExempt(shape.resource)) return NONE;
    let known = this.#known.get(shape.resource);
    if (!known) this.#known.set(shape.resource, (known = new Map()));
    const key = `${type} ${shape.operation} ${shape.subresource}`;
    let invocations = known.get(key);
    if (!invocations) {
      invocations = webhooks.flatMap(webhook => invocationOf(webhook, shape, this.#kinds) ?? []);
      known.set(key, invocations);
    }
    return invocations;
  }

  /** Listed in the order of their names, which is the order in which mutating ones are asked. */
  #read(type: WebhookType): void {
    this.#webhooks[type] = this.#store.list(TABLES[type], '').flatMap(({ object }) => webhooksOf(type, object));
    this.#known = new WeakMap();
  }
}

/** A webhook cannot be asked about webhooks: one that refuses everything could never be removed. */
const EXEMPT: ReadonlySet<string> = new Set([
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
]);

const isExempt = ({ group, kind }: KindDefinition): boolean =>
  group === 'admissionregistration.k8s.io' && EXEMPT.has(kind);

/** A rule for the very version of the request comes first; then, where that is wanted, one for another version of the same. */
function invocationOf(webhook: Webhook, shape: RequestShape, kinds: Kinds): Invocation | undefined {
  const isAbout = (rule: Rule, resource: KindDefinition): boolean =>
    ruleMatches(rule, { ...shape, ...namesOf(resource) });
  if (webhook.rules.some(rule => isAbout(rule, shape.resource))) return { webhook, resource: shape.resource };
  if (webhook.matchPolicy === 'Exact') return undefined;
  const equivalents = equivalentsOf(shape.resource, kinds);
  for (const rule of webhook.rules) {
    const resource = equivalents.find(equivalent => isAbout(rule, equivalent));
    if (resource) return { webhook, resource };
  }
  return undefined;
}

const namesOf = ({ group, version, plural, namespaced }: KindDefinition) => ({ group, version, plural, namespaced });

/** The other names under which the same stored objects are served: `autoscaling/v1` and `v2`, versions of a custom resource. */
function equivalentsOf(resource: KindDefinition, kinds: Kinds): readonly KindDefinition[] {
  const isSame = (other: KindDefinition): boolean =>
    other.group === resource.group && other.version === resource.version;
  return [...kinds.all()].filter(other => tableOf(other) === tableOf(resource) && !isSame(other));
}
