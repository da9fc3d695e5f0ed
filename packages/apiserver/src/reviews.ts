/** Kinds that are questions about identity and rights: created, answered at once, never stored. */
import type { Access } from './access.ts';
import { type Answer, value } from './answer.ts';
import { reviewToken } from './authentication/token-review.ts';
import { answerAccess, type Scope, validateAccess } from './authorization/access-review.ts';
import { listRules } from './authorization/rules-review.ts';
import type { FieldError } from './field-error.ts';
import type { Draft, KindDefinition } from './kind.ts';
import type { ServerRequest, Target, User } from './request.ts';
import { type Backend, writeContext } from './resource-handler.ts';
import { failure, invalid, methodNotAllowed, noSuchPath, type StatusError } from './status.ts';
import { settleNamespace } from './write/create.ts';
import { decodeObject } from './write/decode.ts';
import { trackCreate } from './write/field-managers.ts';
import { transientKind } from './write/transient-kind.ts';

interface Review {
  readonly kind: KindDefinition;
  validate(draft: Draft): readonly FieldError[];
  /** The status. */
  answer(draft: Draft, asking: User, access: Access): object;
  /** The answer does not repeat the question. */
  readonly forgetsQuestion?: boolean;
}

const reviewKind = (group: 'authentication' | 'authorization', kind: string, namespaced = false): KindDefinition =>
  transientKind({
    group: `${group}.k8s.io`,
    version: 'v1',
    kind,
    plural: `${kind.toLowerCase()}s`,
    definition: `io.k8s.api.${group}.v1.${kind}`,
    namespaced,
  });

const accessReview = (kind: string, scope: Scope): Review => ({
  kind: reviewKind('authorization', kind, scope === 'namespace'),
  validate: draft => validateAccess(draft, scope),
  answer: (draft, asking, { authorizer }) => answerAccess(draft, scope, asking, authorizer),
});

const REVIEWS: readonly Review[] = [
  accessReview('SubjectAccessReview', 'anyone'),
  accessReview('SelfSubjectAccessReview', 'self'),
  accessReview('LocalSubjectAccessReview', 'namespace'),
  {
    kind: reviewKind('authorization', 'SelfSubjectRulesReview'),
    validate: () => [],
    answer: (draft, asking, { authorizer }) => listRules(draft, asking, authorizer),
    forgetsQuestion: true,
  },
  {
    kind: reviewKind('authentication', 'TokenReview'),
    validate: () => [],
    answer: (draft, _asking, { authenticator }) => reviewToken(draft, authenticator),
  },
];

export interface ReviewTarget {
  readonly review: Review;
  readonly target: Target;
}

/** Undefined where the path names no review. */
export function reviewAt(target: Target): ReviewTarget | undefined {
  const review = REVIEWS.find(
    ({ kind }) => kind.group === target.group && kind.version === target.version && kind.plural === target.plural,
  );
  return review && { review, target };
}

export function answerReview(
  backend: Backend,
  request: ServerRequest,
  { review, target }: ReviewTarget,
  warn: (text: string) => void,
): Answer {
  const { kind } = review;
  if (target.name !== undefined || kind.namespaced !== (target.namespace !== undefined)) throw noSuchPath();
  if (request.method !== 'POST') throw methodNotAllowed();
  const context = writeContext({ backend, request, target, kind, warn });
  const draft = decodeObject(context, request.body, request.headers['content-type']);
  settleNamespace(context, draft);
  trackCreate(context, draft);
  const errors = review.validate(draft);
  if (errors.length > 0) throw invalidReview(kind, errors);
  const status = review.answer(draft, request.user, backend.access);
  if (!review.forgetsQuestion) return value({ ...draft, status }, 201);
  return value({ kind: draft.kind, apiVersion: draft.apiVersion, metadata: {}, spec: {}, status }, 201);
}

/** Kubernetes leaves the kind out of these. */
function invalidReview({ group, plural }: KindDefinition, errors: readonly FieldError[]): StatusError {
  const { message, details } = invalid({ group, plural, kind: '' }, '', errors).status;
  const { kind: _none, ...rest } = details!;
  return failure(422, 'Invalid', message!, rest);
}
