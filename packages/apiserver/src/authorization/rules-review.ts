/** `SelfSubjectRulesReview`: everything I may do in a namespace. `kubectl auth can-i --list` asks it. */
import type { PolicyRule } from '@capstan/kube';
import type { Draft } from '../kind.ts';
import type { User } from '../request.ts';
import { badRequest } from '../status.ts';
import type { Authorizer } from './authorizer.ts';

/** The status of the review. */
export function listRules(draft: Draft, asking: User, authorizer: Authorizer): object {
  const namespace: string = draft['spec']?.namespace ?? '';
  if (namespace === '') throw badRequest('no namespace on request');
  const { rules, problem } = authorizer.rulesFor(asking, namespace);
  return {
    resourceRules: rules.filter(({ resources }) => resources?.length).map(resourceRule),
    nonResourceRules: rules
      .filter(({ nonResourceURLs }) => nonResourceURLs?.length)
      .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
    incomplete: false,
    ...(problem !== undefined && { evaluationError: problem }),
  };
}

const resourceRule = ({ verbs, apiGroups, resources, resourceNames }: PolicyRule) => ({
  verbs,
  ...(apiGroups?.length && { apiGroups }),
  resources,
  ...(resourceNames?.length && { resourceNames }),
});
