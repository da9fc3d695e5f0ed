/** Questions to the API server that are asked by a create: who is this, may they do that. */
import type { KubeObject } from '../object.ts';
import { resource } from '../resource.ts';

export interface UserInfo {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface TokenReview extends KubeObject {
  readonly spec: { readonly token?: string; readonly audiences?: readonly string[] };
  readonly status?: {
    readonly authenticated?: boolean;
    readonly user?: UserInfo;
    readonly audiences?: readonly string[];
    readonly error?: string;
  };
}

export const tokenReviews = resource<TokenReview>({
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'TokenReview',
  plural: 'tokenreviews',
  namespaced: false,
});

export interface SelfSubjectReview extends KubeObject {
  readonly status?: { readonly userInfo?: UserInfo };
}

export const selfSubjectReviews = resource<SelfSubjectReview>({
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectReview',
  plural: 'selfsubjectreviews',
  namespaced: false,
});

export interface AccessQuestion {
  readonly resourceAttributes?: {
    readonly namespace?: string;
    readonly verb?: string;
    readonly group?: string;
    readonly version?: string;
    readonly resource?: string;
    readonly subresource?: string;
    readonly name?: string;
  };
  readonly nonResourceAttributes?: { readonly path?: string; readonly verb?: string };
}

export interface AccessAnswer {
  readonly allowed: boolean;
  readonly denied?: boolean;
  readonly reason?: string;
  readonly evaluationError?: string;
}

export interface SelfSubjectAccessReview extends KubeObject {
  readonly spec: AccessQuestion;
  readonly status?: AccessAnswer;
}

export const selfSubjectAccessReviews = resource<SelfSubjectAccessReview>({
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectAccessReview',
  plural: 'selfsubjectaccessreviews',
  namespaced: false,
});

export interface SubjectAccessReview extends KubeObject {
  readonly spec: AccessQuestion & {
    readonly user?: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  readonly status?: AccessAnswer;
}

export const subjectAccessReviews = resource<SubjectAccessReview>({
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SubjectAccessReview',
  plural: 'subjectaccessreviews',
  namespaced: false,
});
