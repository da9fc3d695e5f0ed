/** Validating webhooks: all at once, on what is about to be written. */
import type { Draft } from '../kind.ts';
import { type Asking, ask, isSelected, meetsConditions, questionOf, unlessIgnored } from './ask.ts';
import type { Attributes } from './attributes.ts';
import type { Question } from './review.ts';
import { kindOfObject, VersionedObject } from './versioned-object.ts';
import type { Invocation } from './webhook-list.ts';

/** Throws the refusal of the first of them, in their order, that refuses; the others are waited for all the same. */
export async function validate(
  asking: Asking,
  attributes: Attributes,
  object: Draft | undefined,
  invocations: readonly Invocation[],
  warn: (text: string) => void,
): Promise<void> {
  const now = new VersionedObject(asking.views, attributes.kind, object);
  const before = new VersionedObject(asking.views, attributes.kind, attributes.old);
  const questions: (readonly [Invocation, Question])[] = [];
  for (const invocation of invocations) {
    const { webhook, resource } = invocation;
    if (!isSelected(webhook, attributes, object, asking.store)) continue;
    const seen = kindOfObject(attributes, resource);
    const question = questionOf(attributes, resource, seen, await now.as(seen), await before.as(seen));
    if (meetsConditions(webhook, question)) questions.push([invocation, question]);
  }
  const refusals = await Promise.all(
    questions.map(async ([{ webhook }, question]) => {
      try {
        await ask(asking, webhook, question, warn);
        return undefined;
      } catch (error) {
        return unlessIgnored(webhook, error);
      }
    }),
  );
  const refusal = refusals.find(error => error !== undefined);
  if (refusal) throw refusal;
}
