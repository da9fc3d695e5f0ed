/**
 * Who may what. A request becomes attributes (`attributes.ts`), the policy of the store decides about them (`decision.ts`), and a
 * refusal is said in Kubernetes' words (`forbidden.ts`). Roles and bindings are guarded when they are written (`escalation.ts`).
 */
export { AggregatedRoles } from './aggregation.ts';
export { type Attributes, attributesOf, type ResourceAttributes } from './attributes.ts';
export { type Authorizer, alwaysAllow, onlyMasters, RoleAuthorizer } from './authorizer.ts';
export { withCreateRight } from './create-right.ts';
export type { Decision } from './decision.ts';
export { bootstrapPolicy, defaultPolicy } from './default-policy.ts';
export { withoutEscalation } from './escalation.ts';
export { forbiddenRequest } from './forbidden.ts';
export { authorizeImpersonation } from './impersonation.ts';
