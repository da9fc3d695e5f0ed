/** `SelfSubjectReview`: the server tells a client who it is. `kubectl auth whoami` asks it. */
import { timestamp } from '@capstan/kube';
import { type Answer, value } from './answer.ts';
import type { ServerRequest, Target } from './request.ts';
import type { Backend } from './resource-handler.ts';
import { writeContext } from './resource-handler.ts';
import { methodNotAllowed } from './status.ts';
import { decodeObject } from './write/decode.ts';
import { transientKind } from './write/transient-kind.ts';

const SELF_SUBJECT_REVIEW = transientKind({
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectReview',
  plural: 'selfsubjectreviews',
  definition: 'io.k8s.api.authentication.v1.SelfSubjectReview',
  namespaced: false,
});

export function isSelfSubjectReview({ group, version, plural, name, namespace }: Target): boolean {
  const { group: own, version: ownVersion, plural: ownPlural } = SELF_SUBJECT_REVIEW;
  const isItsPath = group === own && version === ownVersion && plural === ownPlural;
  return isItsPath && name === undefined && namespace === undefined;
}

export function reviewSelf(
  backend: Backend,
  request: ServerRequest,
  target: Target,
  warn: (text: string) => void,
): Answer {
  if (request.method !== 'POST') throw methodNotAllowed();
  const context = writeContext({ backend, request, target, kind: SELF_SUBJECT_REVIEW, warn });
  const { kind, apiVersion } = decodeObject(context, request.body, request.headers['content-type']);
  const { name, uid, groups, extra } = request.user;
  const userInfo = { username: name, ...(uid !== undefined && { uid }), groups, ...(extra && { extra }) };
  const metadata = { creationTimestamp: timestamp(backend.clock.now()) };
  return value({ kind, apiVersion, metadata, status: { userInfo } }, 201);
}
