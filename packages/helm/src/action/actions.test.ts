import { configMaps, deployments, type Job, jobs, services } from '@capstan/kube';
import { beforeEach, describe, expect, it } from 'vitest';
import { plan } from '../plan/plan.ts';
import { chartOf, configMap, job, plainRenderer as render } from './chart.fixture.ts';
import { startCluster, type TestCluster } from './cluster.fixture.ts';
import type { Helm } from './context.ts';
import { install } from './install.ts';
import { computedValues, getRelease, history, listReleases } from './queries.ts';
import { rollback } from './rollback.ts';
import { testRelease } from './test-release.ts';
import { uninstall } from './uninstall.ts';
import { upgrade } from './upgrade.ts';

let cluster: TestCluster;
let helm: Helm;
beforeEach(async () => {
  cluster = await startCluster();
  helm = cluster.helm;
});

const name = 'app';
const colours = chartOf({ documents: [configMap('settings', 'colour: $COLOUR')], values: { colour: 'grey', size: 1 } });
const kept = `apiVersion: v1
kind: ConfigMap
metadata:
  name: precious
  annotations: { helm.sh/resource-policy: keep }`;
const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: web }] }`;

/** Says of a Job what its controller would. */
async function end(jobName: string, type: 'Complete' | 'Failed'): Promise<void> {
  const found = await cluster.client.get(jobs, { namespace: 'default', name: jobName });
  const at = '2026-01-01T00:00:00Z';
  const target = type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget';
  const conditions = [target, type].map(each => ({
    type: each,
    status: 'True',
    lastTransitionTime: at,
    message: 'so it is',
  }));
  const status = { startTime: at, ...(type === 'Complete' && { completionTime: at }), conditions };
  await cluster.client.updateStatus(jobs, { ...found, status } as Job);
}

describe('upgrade', () => {
  it.each([
    ['default', {}, 'blue'],
    ['default', { other: 1 }, 'grey'],
    ['reset', {}, 'grey'],
    ['reuse', { other: 1 }, 'blue'],
    ['reset-then-reuse', { other: 1 }, 'blue'],
  ] as const)('takes values by the policy %s: %j', async (valuesPolicy, values, colour) => {
    await install(helm, { name, chart: colours, values: { colour: 'blue' }, render });
    await upgrade(helm, { name, chart: colours, values, valuesPolicy, render });
    expect(await cluster.data('settings')).toEqual({ colour });
  });

  it('removes what left the manifest, but not what is to be kept', async () => {
    await install(helm, {
      name,
      chart: chartOf({ documents: [configMap('a'), configMap('b'), kept] }),
      values: {},
      render,
    });
    await upgrade(helm, { name, chart: chartOf({ documents: [configMap('a')] }), values: {}, render });
    expect([await cluster.data('a'), await cluster.data('b'), await cluster.data('precious')]).toEqual([
      { a: 'one' },
      undefined,
      {},
    ]);
  });

  it('removes what a failed upgrade in between had made', async () => {
    const bad = chartOf({
      documents: [
        configMap('made-by-failure'),
        'apiVersion: v1\nkind: Service\nmetadata: {name: x}\nspec: {ports: [{port: -1}]}',
      ],
    });
    await install(helm, { name, chart: colours, values: {}, render });
    await expect(upgrade(helm, { name, chart: bad, values: {}, render })).rejects.toMatchObject({
      code: 'ApplyFailed',
    });
    expect(await cluster.data('made-by-failure')).toBeDefined();
    await upgrade(helm, { name, chart: colours, values: {}, render });
    expect(await cluster.data('made-by-failure')).toBeUndefined();
    expect((await cluster.records()).map(text => text.split(':')[0])).toEqual([
      '1 superseded',
      '2 failed',
      '3 deployed',
    ]);
  });

  it('goes back by itself when it fails and is asked to', async () => {
    await install(helm, { name, chart: colours, values: {}, render });
    const chart = chartOf({ documents: [configMap('settings', 'colour: red'), deployment] });
    const attempt = upgrade(helm, { name, chart, values: {}, render, rollbackOnFailure: true, timeout: 60_000 });
    await expect(cluster.settle(attempt)).rejects.toThrow(
      'release app failed, and has been rolled back due to rollback-on-failure being set: not ready after 60 s: ' +
        'Deployment default/web (InProgress: replicas: 0/1)',
    );
    expect(await cluster.data('settings')).toEqual({ colour: 'grey' });
    expect((await cluster.client.list(deployments, { namespace: 'default' })).items).toEqual([]);
    expect((await cluster.records()).map(text => text.split(':')[0])).toEqual([
      '1 superseded',
      '2 failed',
      '3 deployed',
    ]);
  });

  it('keeps ten revisions, and always the deployed one', async () => {
    await install(helm, { name, chart: colours, values: {}, render });
    for (let at = 2; at <= 13; at++) await upgrade(helm, { name, chart: colours, values: { at }, render });
    expect((await history(helm, name)).map(({ version }) => version)).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
  });

  it('installs where there is nothing, if asked to, and refuses otherwise', async () => {
    await expect(upgrade(helm, { name, chart: colours, values: {}, render })).rejects.toThrow(
      '"app" has no deployed releases',
    );
    await upgrade(helm, { name, chart: colours, values: {}, render, install: true });
    expect(await cluster.records()).toEqual(['1 deployed: Install complete']);
  });

  it('changes nothing on a dry run', async () => {
    await install(helm, { name, chart: colours, values: {}, render });
    const release = await upgrade(helm, { name, chart: colours, values: { colour: 'red' }, render, dryRun: 'server' });
    expect(release.manifest).toContain('colour: red');
    expect([await cluster.data('settings'), await cluster.records()]).toEqual([
      { colour: 'grey' },
      ['1 deployed: Install complete'],
    ]);
  });
});

describe('hooks', () => {
  it('are run by weight, and a failed one ends the install', async () => {
    const chart = chartOf({
      documents: [
        configMap('settings'),
        job('later', { 'helm.sh/hook': 'pre-install', 'helm.sh/hook-weight': '5' }),
        job('earlier', {
          'helm.sh/hook': 'pre-install',
          'helm.sh/hook-weight': '-5',
          'helm.sh/hook-delete-policy': 'hook-succeeded',
        }),
      ],
    });
    const attempt = install(helm, { name, chart, values: {}, render });
    attempt.catch(() => {});
    await cluster.clock.advance(1_000);
    await end('earlier', 'Complete');
    await cluster.clock.advance(1_000);
    await end('later', 'Failed');
    await expect(cluster.settle(attempt)).rejects.toMatchObject({ code: 'HookFailed' });
    const release = await getRelease(helm, name);
    expect(release.info.description).toBe(
      'Release "app" failed: hook app/templates/1.yaml: not ready: Job default/later (Failed: so it is)',
    );
    expect(release.hooks?.map(hook => [hook.name, hook.last_run.phase])).toEqual([
      ['later', 'Failed'],
      ['earlier', 'Succeeded'],
    ]);
    expect(await cluster.data('settings')).toBeUndefined();
    const left = await cluster.client.list(jobs, { namespace: 'default' });
    expect(left.items.map(({ metadata }) => metadata.name)).toEqual(['later']);
  });

  it('of the event test are run on demand, and tell how they ended', async () => {
    const chart = chartOf({ documents: [configMap('settings'), job('check', { 'helm.sh/hook': 'test' })] });
    await install(helm, { name, chart, values: {}, render });
    const testing = testRelease(helm, { name });
    await cluster.clock.advance(1_000);
    await end('check', 'Complete');
    const { release, failure } = await cluster.settle(testing);
    expect([failure, release.info.status, release.hooks?.[0]?.last_run.phase]).toEqual([
      undefined,
      'deployed',
      'Succeeded',
    ]);
  });
});

describe('waiting', () => {
  it('tells what is awaited and why, and ends when it is there', async () => {
    const chart = chartOf({ documents: [deployment] });
    const attempt = install(helm, { name, chart, values: {}, render, wait: 'ready' });
    await cluster.clock.advance(2_000);
    expect(cluster.told.at(-1)).toEqual({
      kind: 'waiting',
      for: [{ object: 'Deployment default/web', status: 'InProgress', message: 'replicas: 0/1' }],
    });
    const web = await cluster.client.get(deployments, { namespace: 'default', name: 'web' });
    const condition = (type: string, reason: string) => ({ type, status: 'True' as const, reason });
    await cluster.client.updateStatus(deployments, {
      ...web,
      status: {
        observedGeneration: web.metadata.generation!,
        replicas: 1,
        updatedReplicas: 1,
        readyReplicas: 1,
        availableReplicas: 1,
        conditions: [condition('Progressing', 'NewReplicaSetAvailable'), condition('Available', 'Fine')],
      },
    });
    expect((await cluster.settle(attempt)).info.status).toBe('deployed');
  });

  it('ends at once when the caller wants an end, and the release says so', async () => {
    const stop = new AbortController();
    const chart = chartOf({ documents: [deployment] });
    const attempt = install({ ...helm, signal: stop.signal }, { name, chart, values: {}, render, wait: 'ready' });
    attempt.catch(() => {});
    await cluster.clock.advance(1_000);
    stop.abort(new Error('interrupted by SIGINT'));
    await expect(attempt).rejects.toThrow('interrupted by SIGINT');
    expect(await cluster.records()).toEqual(['1 failed: Release "app" failed: interrupted by SIGINT']);
  });
});

describe('definitions of a chart', () => {
  const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: boats.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: boats, singular: boat, kind: Boat }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, properties: { sails: { type: integer } } } }`;
  const boat = 'apiVersion: example.com/v1\nkind: Boat\nmetadata: { name: first }\nsails: 3';

  it('are there before the objects, and stay when the release goes', async () => {
    const chart = chartOf({ documents: [boat], crds: [definition] });
    await cluster.settle(install(helm, { name, chart, values: {}, render }));
    await cluster.settle(uninstall(helm, { name }));
    helm.discovery.invalidate();
    expect(await helm.discovery.forKind('example.com/v1', 'Boat')).toBeDefined();
  });

  it('are judged by the plan', async () => {
    const chart = chartOf({ documents: [boat], crds: [definition] });
    const before = await plan(helm, { name, chart, values: {}, render, install: true });
    expect(before).toMatchObject({ objects: [{ change: 'create' }], definitions: [{ verdict: 'new' }] });
    await cluster.settle(install(helm, { name, chart, values: {}, render }));
    const stricter = definition.replace('type: integer', 'type: integer, maximum: 2');
    const after = await plan(helm, {
      name,
      chart: chartOf({ documents: [boat], crds: [stricter] }),
      values: {},
      render,
    });
    expect(after.definitions).toEqual([
      { name: 'boats.example.com', verdict: 'unsafe', problems: ['v1.sails: maximum becomes 2'] },
    ]);
  });
});

describe('rollback', () => {
  it('makes what an earlier revision was', async () => {
    await install(helm, { name, chart: colours, values: { colour: 'blue' }, render });
    await upgrade(helm, { name, chart: colours, values: { colour: 'red' }, render });
    await upgrade(helm, { name, chart: colours, values: { colour: 'green' }, render });
    await rollback(helm, { name, revision: 1 });
    expect(await cluster.data('settings')).toEqual({ colour: 'blue' });
    expect((await getRelease(helm, name)).info).toMatchObject({
      status: 'deployed',
      description: 'Rollback to 1',
      rollback_revision: 1,
    });
    await expect(rollback(helm, { name, revision: 9 })).rejects.toThrow('release has no 9 version');
  });
});

describe('uninstall', () => {
  it('leaves what belongs to others by now, and says so', async () => {
    await install(helm, {
      name,
      chart: chartOf({ documents: [configMap('mine'), configMap('yours'), kept] }),
      values: {},
      render,
    });
    const annotations = { 'meta.helm.sh/release-name': 'someone-else' };
    await cluster.client.patch(
      configMaps,
      { namespace: 'default', name: 'yours' },
      { merge: { metadata: { annotations } } },
    );
    const words =
      'These resources were kept due to the resource policy:\n[ConfigMap] precious\n\n' +
      '1 resource(s) were not deleted because they are not owned by this release:\n[ConfigMap] yours\n';
    expect((await uninstall(helm, { name, dryRun: true })).info).toBe(words);
    expect(await cluster.data('mine')).toBeDefined();
    expect((await uninstall(helm, { name })).info).toBe(words);
    expect([await cluster.data('mine'), await cluster.data('yours'), await cluster.data('precious')]).toEqual([
      undefined,
      { a: 'one' },
      {},
    ]);
  });

  it('keeps the history if asked to, and the name can be taken again', async () => {
    await install(helm, { name, chart: colours, values: {}, render });
    await upgrade(helm, { name, chart: colours, values: {}, render });
    await uninstall(helm, { name, keepHistory: true });
    expect((await cluster.records()).map(text => text.split(':')[0])).toEqual(['1 superseded', '2 uninstalled']);
    await install(helm, { name, chart: colours, values: {}, render, replace: true });
    expect(await listReleases(helm, { statuses: ['deployed'] })).toMatchObject([{ name, version: 3 }]);
  });
});

describe('a release that is written client-side', () => {
  it('keeps what others changed, and sets back what the manifest says', async () => {
    const service = (port: number) =>
      chartOf({
        documents: [
          `apiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec: { selector: { app: web }, ports: [{ name: http, port: ${port} }] }`,
        ],
      });
    await install(helm, { name, chart: service(80), values: {}, render, serverSide: false });
    const web = { namespace: 'default', name: 'web' };
    await cluster.client.patch(services, web, { merge: { metadata: { labels: { team: 'blue' } } } });
    await upgrade(helm, { name, chart: service(81), values: {}, render });
    const { metadata, spec } = await cluster.client.get(services, web);
    expect(metadata.labels).toEqual({ 'app.kubernetes.io/managed-by': 'Helm', team: 'blue' });
    expect(spec?.ports?.map(({ port }) => port)).toEqual([81]);
    expect((await getRelease(helm, name)).apply_method).toBe('csa');
  });
});

describe('the plan', () => {
  it('tells what would change, where values come from, and what is not allowed', async () => {
    await install(helm, {
      name,
      chart: chartOf({
        documents: [configMap('settings', 'colour: $COLOUR'), configMap('old')],
        values: { colour: 'grey' },
      }),
      values: {},
      render,
    });
    const chart = chartOf({
      documents: [configMap('settings', 'colour: $COLOUR'), configMap('new')],
      values: { colour: 'grey', size: 2 },
    });
    const layers = [{ origin: 'blue.yaml', values: { colour: 'blue' } }];
    const planned = await plan(helm, { name, chart, values: { colour: 'blue' }, layers, render });
    expect(planned).toMatchObject({ operation: 'upgrade', revision: 2, missingPermissions: [] });
    expect(planned.objects.map(({ object, change }) => `${change} ${object}`)).toEqual([
      'update ConfigMap default/settings',
      'create ConfigMap default/new',
      'remove ConfigMap default/old',
    ]);
    expect(planned.values).toEqual([
      { path: 'colour', before: 'grey', after: 'blue', origin: 'blue.yaml' },
      { path: 'size', after: 2, origin: 'the chart' },
    ]);
    expect(await cluster.records()).toEqual(['1 deployed: Install complete']);
    expect(computedValues(await getRelease(helm, name))).toEqual({ colour: 'grey' });
  });
});
