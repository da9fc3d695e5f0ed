/** What the operation would need to be allowed, and is not. */
import { type AccessQuestion, selfSubjectAccessReviews } from '@capstan/kube';
import type { Helm } from '../action/context.ts';
import type { Target } from '../apply/target.ts';
import type { PlannedTargets } from './objects.ts';

export interface MissingPermission {
  readonly verb: string;
  /** `deployments.apps`. */
  readonly resource: string;
  readonly namespace?: string;
}

type Attributes = NonNullable<AccessQuestion['resourceAttributes']>;

export async function missingPermissions(helm: Helm, targets: PlannedTargets): Promise<MissingPermission[]> {
  const questions = new Map<string, Attributes>();
  const ask = (verbs: readonly string[], group: string, resource: string, namespace: string | undefined): void => {
    for (const verb of verbs) {
      const question = { verb, group, resource, ...(namespace !== undefined && { namespace }) };
      questions.set(JSON.stringify(question), question);
    }
  };
  ask(['get', 'list', 'create', 'update', 'delete'], '', 'secrets', helm.namespace);
  const askFor = (verbs: readonly string[]) => (target: Target) =>
    ask(verbs, target.resource.group, target.resource.plural, target.object.metadata.namespace);
  targets.written.forEach(askFor(['get', 'create', 'patch']));
  targets.removed.forEach(askFor(['get', 'delete']));
  const answers = await Promise.all([...questions.values()].map(question => isAllowed(helm, question)));
  return answers.filter(answer => answer !== undefined);
}

async function isAllowed({ client }: Helm, question: Attributes): Promise<MissingPermission | undefined> {
  const review = { metadata: {}, spec: { resourceAttributes: question } };
  const { status } = await client.create(selfSubjectAccessReviews, review, { retry: 'idempotent' });
  if (status?.allowed) return undefined;
  const { verb = '', group, resource = '', namespace } = question;
  const name = group ? `${resource}.${group}` : resource;
  return { verb, resource: name, ...(namespace !== undefined && { namespace }) };
}
