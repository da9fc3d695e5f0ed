/** `pods/binding`: how a scheduler says on which node a Pod runs. */
import { validateDns1123Subdomain } from '@capstan/kube';
import { errorMessage, type FieldError, invalidValue, requiredValue, unsupportedValue } from '../field-error.ts';
import type { Draft } from '../kind.ts';
import type { ServerRequest } from '../request.ts';
import { badRequest, conflict, failure } from '../status.ts';
import { admitTransient } from './admit-transient.ts';
import type { WriteContext } from './context.ts';
import { decodeObject } from './decode.ts';
import { setPodCondition } from './pod-condition.ts';
import { rewrite } from './rewrite.ts';
import { transientKind } from './transient-kind.ts';

const BINDING = transientKind({
  group: '',
  version: 'v1',
  kind: 'Binding',
  plural: 'bindings',
  definition: 'io.k8s.api.core.v1.Binding',
});

/** `context` is that of the Pod. */
export async function bind(context: WriteContext, name: string, request: ServerRequest): Promise<void> {
  const ofBinding: WriteContext = { ...context, kind: BINDING, resource: context.kind, subresource: 'binding' };
  const submitted = decodeObject(ofBinding, request.body, request.headers['content-type']);
  const binding = await admitTransient(ofBinding, submitted);
  if (binding.metadata.name !== name) throw badRequest('name in URL does not match name in Binding object');
  const errors = targetErrors(binding['target'] ?? {});
  if (errors.length > 0) throw failure(500, '', aggregate(errors.map(errorMessage)));
  await context.admission.validate({ type: 'CREATE', object: binding }, ofBinding);
  await rewrite(context, name, pod => {
    refuseOther(context, binding, pod);
    const why = whyNotBindable(pod);
    if (why !== undefined) throw conflict({ group: '', plural: 'pods/binding', kind: 'Pod' }, name, why);
    assign(pod, binding, context.clock.now());
  });
}

function targetErrors({ kind = '', name = '' }: { kind?: string; name?: string }): FieldError[] {
  const isNode = kind === '' || kind === 'Node';
  const errors = isNode ? [] : [unsupportedValue('target.kind', kind, ['Node', '<empty>'])];
  if (name === '') return [...errors, requiredValue('target.name')];
  const problems = isNode ? validateDns1123Subdomain(name) : [];
  return [...errors, ...problems.map(why => invalidValue('target.name', name, why))];
}

const aggregate = (messages: readonly string[]): string =>
  messages.length === 1 ? messages[0]! : `[${messages.join(', ')}]`;

/** A binding may say which Pod it was made for. */
function refuseOther({ kind }: WriteContext, { metadata }: Draft, pod: Draft): void {
  for (const [field, label] of [
    ['uid', 'UID'],
    ['resourceVersion', 'ResourceVersion'],
  ] as const) {
    const [wanted, found] = [metadata[field], pod.metadata[field]];
    if (!wanted || wanted === found) continue;
    const why = `Precondition failed: ${label} in precondition: ${wanted}, ${label} in object meta: ${found}`;
    throw conflict(kind, pod.metadata.name!, why);
  }
}

function whyNotBindable({ metadata, spec }: Draft): string | undefined {
  const { name } = metadata;
  if (metadata.deletionTimestamp) return `pod ${name} is being deleted, cannot be assigned to a host`;
  if (spec.nodeName) return `pod ${name} is already assigned to node ${JSON.stringify(spec.nodeName)}`;
  return spec.schedulingGates?.length > 0 ? `pod ${name} has non-empty .spec.schedulingGates` : undefined;
}

function assign(pod: Draft, binding: Draft, now: number): void {
  pod['spec'].nodeName = binding['target'].name;
  for (const field of ['annotations', 'labels'] as const) {
    const added = binding.metadata[field];
    if (added) pod.metadata[field] = { ...pod.metadata[field], ...added };
  }
  delete pod['status']?.nominatedNodeName;
  setPodCondition(pod, { type: 'PodScheduled', status: 'True' }, now);
}
