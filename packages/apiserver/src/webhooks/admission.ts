/**
 * Admission webhooks: the functions and servers that configurations in the store name are asked about writes, as
 * kube-apiserver asks them.
 *
 *     decode → built-in admission → mutating webhooks → (both again, where one changed something)
 *            → defaults, validation → validating webhooks → commit
 *
 * Nothing is locked while a webhook thinks. What it was asked about may have changed meanwhile: the commit is made on the version
 * that the question was about, or not at all.
 */
import { deepClone, deepEqual } from '@capstan/kube';
import type { Draft } from '../kind.ts';
import type { Admission, AdmissionOperation, WriteContext } from '../write/context.ts';
import type { Asking } from './ask.ts';
import { attributesOf } from './attributes.ts';
import type { WebhookType } from './configuration.ts';
import { mutate, Reinvocation } from './mutating.ts';
import { validate } from './validating.ts';
import type { Invocation, WebhookList } from './webhook-list.ts';

export function withWebhooks(inner: Admission, webhooks: WebhookList, asking: Asking): Admission {
  const about = (type: WebhookType, { type: operation }: AdmissionOperation, context: WriteContext) => {
    const { kind, resource = kind, subresource } = context;
    return webhooks.about(type, { operation, resource, subresource });
  };
  return {
    admit(operation, context) {
      const invocations = about('mutating', operation, context);
      if (invocations.length === 0) return inner.admit(operation, context);
      return admitWith(invocations, operation, context);
    },
    validate(operation, context) {
      const invocations = about('validating', operation, context);
      if (invocations.length === 0) return inner.validate(operation, context);
      return validateWith(invocations, operation, context);
    },
  };

  async function admitWith(
    invocations: readonly Invocation[],
    operation: AdmissionOperation,
    context: WriteContext,
  ): Promise<Draft> {
    const first = await inner.admit(operation, context);
    const attributes = attributesOf({ ...operation, object: first }, context);
    const reinvocation = new Reinvocation();
    const round = { attributes, invocations, reinvocation };
    const isDeletion = operation.type === 'DELETE';
    const object = await mutate(asking, { ...round, object: isDeletion ? undefined : first, again: false }, context);
    if (!object || object === first) return first;
    const changed = deepClone(object);
    const second = await inner.admit({ ...operation, object: changed }, context);
    if (!deepEqual(second, object)) reinvocation.objectChanged();
    return (await mutate(asking, { ...round, object: second, again: true }, context)) ?? second;
  }

  async function validateWith(
    invocations: readonly Invocation[],
    operation: AdmissionOperation,
    context: WriteContext,
  ): Promise<void> {
    await inner.validate(operation, context);
    const object = operation.type === 'DELETE' ? undefined : operation.object;
    await validate(asking, attributesOf(operation, context), object, invocations, context.warn);
  }
}
