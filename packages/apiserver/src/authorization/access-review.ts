/** `SubjectAccessReview` and its kin: may they, may I? The question is checked, and the authorizer answers it. */
import { type FieldError, invalidValue } from '../field-error.ts';
import type { Draft } from '../kind.ts';
import type { User } from '../request.ts';
import type { Attributes } from './attributes.ts';
import type { Authorizer } from './authorizer.ts';
import { type Selector, selectorErrors, selectorProblems } from './selector-attributes.ts';

interface ResourceQuestion {
  readonly namespace?: string;
  readonly verb?: string;
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly name?: string;
  readonly fieldSelector?: Selector;
  readonly labelSelector?: Selector;
}

interface Question {
  readonly resourceAttributes?: ResourceQuestion;
  readonly nonResourceAttributes?: { readonly path?: string; readonly verb?: string };
  readonly user?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export type Scope = 'self' | 'anyone' | 'namespace';

/** The status of the review; `asking` is who sent it. */
export function answerAccess(draft: Draft, scope: Scope, asking: User, authorizer: Authorizer): object {
  const spec = (draft['spec'] ?? {}) as Question;
  const { user: name = '', groups = [] } = spec;
  const { allowed, reason } = authorizer.authorize(scope === 'self' ? asking : { name, groups }, attributesOf(spec));
  const evaluationError = selectorProblems(spec.resourceAttributes ?? {});
  return { allowed, ...(reason !== '' && { reason }), ...(evaluationError !== '' && { evaluationError }) };
}

function attributesOf({ resourceAttributes: asked, nonResourceAttributes: path }: Question): Attributes {
  if (!asked) return { type: 'path', verb: path?.verb ?? '', path: path?.path ?? '' };
  const { verb = '', group = '', version = '', resource = '', subresource = '', name = '', namespace = '' } = asked;
  return { type: 'resource', verb, group, version: version || '*', resource, subresource, name, namespace };
}

const EITHER = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';

export function validateAccess(draft: Draft, scope: Scope): readonly FieldError[] {
  const spec = (draft['spec'] ?? {}) as Question;
  const { resourceAttributes: resource, nonResourceAttributes: path } = spec;
  const errors: FieldError[] = [];
  if ((resource === undefined) === (path === undefined)) {
    errors.push(invalidValue('spec', path && pathValue(path), EITHER));
  }
  if (scope !== 'self' && !spec.user && !spec.groups?.length) {
    errors.push(invalidValue('spec.user', spec.user ?? '', 'at least one of user or group must be specified'));
  }
  if (resource) {
    errors.push(...selectorErrors('field', resource.fieldSelector));
    errors.push(...selectorErrors('label', resource.labelSelector));
  }
  errors.push(...metadataErrors(draft, scope === 'namespace' ? ['namespace'] : []));
  if (scope !== 'namespace') return errors;
  const { namespace } = draft.metadata;
  if (resource && (resource.namespace ?? '') !== namespace) {
    const why = 'must match metadata.namespace';
    errors.push(invalidValue('spec.resourceAttributes.namespace', resource.namespace ?? '', why));
  }
  if (path) {
    const why = 'disallowed on this kind of request';
    errors.push(invalidValue('spec.nonResourceAttributes', pathValue(path), why));
  }
  return errors;
}

const pathValue = ({ path = '', verb = '' }: { path?: string; verb?: string }) => ({ Path: path, Verb: verb });

function metadataErrors({ metadata }: Draft, allowed: readonly string[]): readonly FieldError[] {
  const isUsed = ([field, value]: [string, unknown]): boolean =>
    field !== 'managedFields' && !allowed.includes(field) && !isEmpty(value);
  if (!Object.entries(metadata).some(isUsed)) return [];
  const why = allowed.length === 0 ? 'must be empty' : `must be empty except for ${allowed.join(', ')}`;
  return [invalidValue('metadata', metadata, why)];
}

/** Go clients send the zero values of fields that they did not set. */
const isEmpty = (value: unknown): boolean => !value || (typeof value === 'object' && Object.keys(value).length === 0);
