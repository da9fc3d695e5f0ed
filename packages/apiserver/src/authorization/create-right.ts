/** An apply or an update of something that is not there creates it: who may only patch and update may not. */
import type { Admission, WriteContext } from '../write/context.ts';
import type { ResourceAttributes } from './attributes.ts';
import type { Authorizer } from './authorizer.ts';
import { forbiddenRequest } from './forbidden.ts';

/** Asked on every create, as nothing tells which request led to it. Who came by POST has the right already. */
export function withCreateRight(inner: Admission, authorizer: Authorizer): Admission {
  return {
    ...inner,
    async admit(operation, context) {
      const draft = await inner.admit(operation, context);
      // A subresource is created by POST only.
      if (operation.type !== 'CREATE' || context.subresource !== '') return draft;
      const attributes = createAttributes(context, draft.metadata.name ?? '');
      const { allowed, reason } = authorizer.authorize(context.user, attributes);
      if (!allowed) throw forbiddenRequest(context.user, attributes, reason);
      return draft;
    },
  };
}

const createAttributes = ({ kind, namespace = '' }: WriteContext, name: string): ResourceAttributes => ({
  type: 'resource',
  verb: 'create',
  group: kind.group,
  version: kind.version,
  resource: kind.plural,
  subresource: '',
  name,
  namespace: kind.group === '' && kind.plural === 'namespaces' ? name : namespace,
});
