import { systemClock, systemRandom } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../store/memory-store.ts';
import { AggregatedRoles } from './aggregation.ts';
import { type Authorizer, CLUSTER_ROLES, RoleAuthorizer } from './authorizer.ts';
import { bootstrapPolicy } from './default-policy.ts';

async function cluster() {
  const store = new MemoryStore();
  const authorizer = new RoleAuthorizer(store);
  await bootstrapPolicy(store, systemClock, systemRandom);
  return { store, authorizer };
}

const bind = (store: MemoryStore, role: string, user: string) =>
  store.write('rbac.authorization.k8s.io/clusterrolebindings', `${role}-${user}`, undefined, {
    metadata: { name: `${role}-${user}` },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'User', name: user }],
  });

const may = (authorizer: Authorizer, name: string, verb: string, resource: string, group = ''): boolean =>
  authorizer.authorize(
    { name, groups: ['system:authenticated'] },
    { type: 'resource', verb, group, version: 'v1', resource, subresource: '', name: '', namespace: 'a' },
  ).allowed;

describe('the default roles', () => {
  it('let a viewer read, but no Secrets and no roles; an editor write, but no roles; an admin write roles', async () => {
    const { store, authorizer } = await cluster();
    for (const role of ['view', 'edit', 'admin', 'cluster-admin']) await bind(store, role, role);
    const allowed = (who: string) =>
      [
        ['list', 'pods'],
        ['list', 'secrets'],
        ['create', 'deployments', 'apps'],
        ['create', 'rolebindings', 'rbac.authorization.k8s.io'],
        ['create', 'nodes'],
      ].map(([verb, resource, group]) => may(authorizer, who, verb!, resource!, group));
    expect(allowed('view')).toEqual([true, false, false, false, false]);
    expect(allowed('edit')).toEqual([true, true, true, false, false]);
    expect(allowed('admin')).toEqual([true, true, true, true, false]);
    expect(allowed('cluster-admin')).toEqual([true, true, true, true, true]);
    expect(allowed('nobody')).toEqual([false, false, false, false, false]);
  });

  it('are not written again, and what was changed stays', async () => {
    const { store } = await cluster();
    const entry = store.get(CLUSTER_ROLES, 'view')!;
    await store.write(CLUSTER_ROLES, 'view', entry, {
      ...entry.object,
      metadata: { ...entry.object.metadata, labels: {} },
    });
    const { revision } = store;
    await bootstrapPolicy(store, systemClock, systemRandom);
    expect(store.revision).toBe(revision);
  });

  it('are all that there is to gather: nothing is rewritten at the start', async () => {
    const { store } = await cluster();
    const { revision } = store;
    const roles = new AggregatedRoles(store, error => expect.unreachable(String(error)));
    await Promise.resolve();
    await Promise.resolve();
    expect(store.revision).toBe(revision);
    roles.stop();
  });

  it('take in what a chart adds for them, through every level', async () => {
    const { store, authorizer } = await cluster();
    const roles = new AggregatedRoles(store, error => expect.unreachable(String(error)));
    await bind(store, 'admin', 'ann');
    expect(may(authorizer, 'ann', 'list', 'widgets', 'example.com')).toBe(false);
    await store.write(CLUSTER_ROLES, 'widgets', undefined, {
      metadata: { name: 'widgets', labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } },
      rules: [{ verbs: ['list'], apiGroups: ['example.com'], resources: ['widgets'] }],
    });
    await expect.poll(() => may(authorizer, 'ann', 'list', 'widgets', 'example.com')).toBe(true);
    await store.remove(CLUSTER_ROLES, 'widgets', store.get(CLUSTER_ROLES, 'widgets')!, {
      metadata: { name: 'widgets' },
    });
    await expect.poll(() => may(authorizer, 'ann', 'list', 'widgets', 'example.com')).toBe(false);
    roles.stop();
  });
});
