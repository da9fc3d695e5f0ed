/** `pods/eviction`: a deletion that asks the Pod's disruption budget first. */
import type { Draft, Stored } from '../kind.ts';
import type { ServerRequest } from '../request.ts';
import { badRequest, notFound } from '../status.ts';
import { keyOf, tableOf } from '../storage.ts';
import { admitTransient } from './admit-transient.ts';
import { ADMITTED, type WriteContext } from './context.ts';
import { decodeObject } from './decode.ts';
import { checkPreconditions, remove } from './delete.ts';
import { type DeleteOptions, readDeleteOptions } from './delete-options.ts';
import { spendBudget } from './disruption-budget.ts';
import { setPodCondition } from './pod-condition.ts';
import { rewrite } from './rewrite.ts';
import { transientKind } from './transient-kind.ts';

const EVICTION = transientKind({
  group: 'policy',
  version: 'v1',
  kind: 'Eviction',
  plural: 'evictions',
  definition: 'io.k8s.api.policy.v1.Eviction',
});

/** `context` is that of the Pod. */
export async function evict(context: WriteContext, name: string, request: ServerRequest): Promise<void> {
  const ofEviction: WriteContext = { ...context, kind: EVICTION, resource: context.kind, subresource: 'eviction' };
  const submitted = decodeObject(ofEviction, request.body, request.headers['content-type']);
  const eviction = await admitTransient(ofEviction, submitted);
  if (eviction.metadata.name !== name) throw badRequest('name in URL does not match name in Eviction object');
  const options = optionsOf(eviction, context);
  // What is done to the Pod was admitted with the eviction.
  const evicting: WriteContext = {
    ...context,
    options: { ...context.options, dryRun: options.dryRun },
    admission: ADMITTED,
  };
  const head = context.store.head(tableOf(context.kind), keyOf(context.namespace, name));
  if (!head) throw notFound(context.kind, name);
  await context.admission.validate({ type: 'CREATE', object: eviction }, ofEviction);
  if (!isNoDisruption(head.object)) await spendBudget(evicting, head.object);
  if (!options.dryRun) await announce(evicting, name, options);
  // The announcement made a new version of the Pod, so that one the client named cannot be asked for again.
  const { resourceVersion: _, ...preconditions } = options.preconditions;
  await remove(evicting, name, { ...options, preconditions });
}

function optionsOf(eviction: Draft, { options }: WriteContext): DeleteOptions {
  const given = readDeleteOptions(eviction['deleteOptions'] ?? {});
  return { ...given, dryRun: given.dryRun || options.dryRun };
}

/** What has ended, not begun or is being deleted already counts for no budget. */
function isNoDisruption({ metadata, status }: Stored): boolean {
  return metadata.deletionTimestamp !== undefined || ['Succeeded', 'Failed', 'Pending'].includes(status?.phase);
}

async function announce(context: WriteContext, name: string, options: DeleteOptions): Promise<void> {
  await rewrite(context, name, pod => {
    checkPreconditions(context.kind, pod as Stored, options);
    setPodCondition(
      pod,
      {
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'EvictionByEvictionAPI',
        message: 'Eviction API: evicting',
      },
      context.clock.now(),
    );
  });
}
