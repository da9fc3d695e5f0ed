/** Webhooks of the process on a server of its own, and configurations for them in few words. For the tests of this folder. */
import { type Conversation, converse } from '../conversation.fixture.ts';
import type { ApiServerOptions } from '../server.ts';
import { admissionWebhook, type Decision } from './admission-webhook.ts';
import type { AdmissionRequest } from './review.ts';

export const MUTATING = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
export const VALIDATING = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';

export type Decide = (request: AdmissionRequest, signal: AbortSignal) => Decision | Promise<Decision>;

export interface Hooked extends Conversation {
  /** What webhooks were asked, in order; `name` of the hook first. */
  readonly asked: (readonly [string, AdmissionRequest])[];
  /** Adds a webhook to a configuration of its own, named like the hook. */
  mutating(hook: string, decide: Decide, spec?: object): Promise<void>;
  validating(hook: string, decide: Decide, spec?: object): Promise<void>;
}

/** All writes of ConfigMaps, unless a test says otherwise. */
export const CONFIGMAP_RULE = {
  apiGroups: [''],
  apiVersions: ['v1'],
  resources: ['configmaps'],
  operations: ['CREATE', 'UPDATE', 'DELETE'],
};

export const urlOf = (hook: string): string => `https://${hook}.example.com/`;

export const webhookOf = (hook: string, spec: object = {}) => ({
  name: `${hook}.example.com`,
  clientConfig: { url: urlOf(hook) },
  rules: [CONFIGMAP_RULE],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  ...spec,
});

/** The names of the hooks that a test uses are known beforehand; what they decide is set when they are configured. */
export async function withHooks(hooks: readonly string[], options: ApiServerOptions = {}): Promise<Hooked> {
  const asked: (readonly [string, AdmissionRequest])[] = [];
  const decisions = new Map<string, Decide>();
  const functions = Object.fromEntries(
    hooks.map(hook => [
      urlOf(hook),
      admissionWebhook((request, signal) => {
        asked.push([hook, request]);
        return decisions.get(hook)!(request, signal);
      }),
    ]),
  );
  const api = await converse({ ...options, webhooks: { functions: { ...functions, ...options.webhooks?.functions } } });
  const add = (path: string) => async (hook: string, decide: Decide, spec?: object) => {
    decisions.set(hook, decide);
    const { status, body } = await api.post(path, { metadata: { name: hook }, webhooks: [webhookOf(hook, spec)] });
    if (status !== 201) throw new Error(JSON.stringify(body));
  };
  return { ...api, asked, mutating: add(MUTATING), validating: add(VALIDATING) };
}

export const allow: Decide = () => ({ allowed: true });
export const deny =
  (message: string): Decide =>
  () => ({ allowed: false, message });

/** Adds an entry to the data of a ConfigMap. */
export const addData =
  (key: string, value: string): Decide =>
  () => ({ allowed: true, patch: [{ op: 'add', path: `/data/${key}`, value }] });
