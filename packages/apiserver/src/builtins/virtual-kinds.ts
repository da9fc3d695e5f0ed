/** Kinds that are questions: they are created, answered at once and never stored. Their answers come from the handlers. */

export interface VirtualKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly verbs: readonly ['create'];
}

const AUTHENTICATION = { group: 'authentication.k8s.io', version: 'v1', verbs: ['create'] } as const;
const AUTHORIZATION = { group: 'authorization.k8s.io', version: 'v1', verbs: ['create'] } as const;

export const virtualKinds: readonly VirtualKind[] = [
  { group: '', version: 'v1', verbs: ['create'], kind: 'Binding', plural: 'bindings', namespaced: true },
  { ...AUTHENTICATION, kind: 'TokenReview', plural: 'tokenreviews', namespaced: false },
  { ...AUTHENTICATION, kind: 'SelfSubjectReview', plural: 'selfsubjectreviews', namespaced: false },
  { ...AUTHORIZATION, kind: 'SubjectAccessReview', plural: 'subjectaccessreviews', namespaced: false },
  { ...AUTHORIZATION, kind: 'SelfSubjectAccessReview', plural: 'selfsubjectaccessreviews', namespaced: false },
  { ...AUTHORIZATION, kind: 'LocalSubjectAccessReview', plural: 'localsubjectaccessreviews', namespaced: true },
  { ...AUTHORIZATION, kind: 'SelfSubjectRulesReview', plural: 'selfsubjectrulesreviews', namespaced: false },
];
