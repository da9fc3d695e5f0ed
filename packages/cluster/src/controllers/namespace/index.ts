/** The namespace controller: what is in a deleted namespace goes, then the namespace. */
import {
  done,
  type Manager,
  type ReconcileContext,
  type Request,
  type Result,
  requeueAfter,
} from '@capstan/controller';
import {
  type Condition,
  createDiscovery,
  type DiscoveredResource,
  isNotFound,
  type Namespace,
  namespaces,
} from '@capstan/kube';
import type { BuiltinController } from '../builtin-controller.ts';
import { type DeletionProgress, deletionConditions } from './conditions.ts';
import { deletableKinds, deleteContent } from './delete-content.ts';

const FINALIZER = 'kubernetes';

export const namespaceController: BuiltinController = {
  name: 'namespace',
  setup(manager: Manager): void {
    manager.controller({
      name: 'namespace',
      for: { kind: namespaces, when: ({ type, object }) => type !== 'deleted' && isTerminating(object) },
      workers: 10,
      reconcile: (request, context) => reconcile(request, context, manager),
    });
  },
};

const isTerminating = ({ metadata }: Namespace): boolean => metadata.deletionTimestamp !== undefined;

async function reconcile({ name }: Request, context: ReconcileContext, { clock }: Manager): Promise<Result> {
  const { client, cache, now } = context;
  const namespace = await cache.get(namespaces, { name });
  if (namespace === undefined || !isTerminating(namespace)) return done();
  if (!namespace.spec?.finalizers?.includes(FINALIZER)) return done();

  const partial: string[] = [];
  // Asked anew each time: a kind that came a moment ago may have objects here.
  const discovery = createDiscovery(client, {
    clock,
    onPartialFailure: (groupVersion, error) => partial.push(`${groupVersion}: ${error.message}`),
  });
  const kinds: readonly DiscoveredResource[] = deletableKinds(await discovery.resources());
  const round = await deleteContent(client, name, kinds);
  const progress = { ...round, discoveryFailure: discoveryFailure(partial) };

  const written = await writeConditions(namespace, progress, context);
  if (!isFinished(progress)) return requeueAfter(pause(namespace, now));
  return finalize(written, context);
}

function discoveryFailure(partial: readonly string[]): string | undefined {
  if (partial.length === 0) return undefined;
  const list = `unable to retrieve the complete list of server APIs: ${partial.join(', ')}`;
  return `Discovery failed for some groups, ${partial.length} failing: ${list}`;
}

async function writeConditions(
  namespace: Namespace,
  progress: DeletionProgress,
  { client, now }: ReconcileContext,
): Promise<Namespace> {
  const before = namespace.status?.conditions as readonly Condition[] | undefined;
  const conditions = deletionConditions(before, progress, now);
  if (conditions === before && namespace.status?.phase === 'Terminating') return namespace;
  return client.updateStatus(namespaces, { ...namespace, status: { phase: 'Terminating', conditions } });
}

const isFinished = ({ discoveryFailure, failures, remaining }: DeletionProgress): boolean =>
  discoveryFailure === undefined && failures.length === 0 && remaining.size === 0;

/** Guarded by the version that the conditions were written on: what nobody looked at is not let go. */
async function finalize(namespace: Namespace, { client }: ReconcileContext): Promise<Result> {
  const finalizers = (namespace.spec?.finalizers ?? []).filter(finalizer => finalizer !== FINALIZER);
  const { name } = namespace.metadata;
  try {
    const body = { ...namespace, spec: { ...namespace.spec, finalizers } };
    await client.subresource<Namespace>(namespaces, 'finalize').update({ name }, body);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return done();
}

const SHORTEST_PAUSE = 500;
const LONGEST_PAUSE = 15_000;

/** Pods take seconds to end, a finalizer that nobody serves takes for ever: the older the deletion, the rarer the look. */
export function pause({ metadata }: Namespace, now: number): number {
  const age = now - Date.parse(metadata.deletionTimestamp!);
  return Math.min(Math.max(age / 4, SHORTEST_PAUSE), LONGEST_PAUSE);
}
