import type { Draft } from '../kind.ts';
import type { WriteContext } from './context.ts';
import { settleNamespace } from './create.ts';
import { trackCreate } from './field-managers.ts';

/** For what is created as a subresource and not stored, such as a Binding: the part of admission that may change it. */
export async function admitTransient(context: WriteContext, submitted: Draft): Promise<Draft> {
  settleNamespace(context, submitted);
  trackCreate(context, submitted);
  return context.admission.admit({ type: 'CREATE', object: submitted }, context);
}
