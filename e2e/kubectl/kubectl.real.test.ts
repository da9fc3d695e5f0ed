import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningCluster, startCluster } from '@capstan/cli';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePorts } from '../real/ports.ts';
import { requirePeers } from '../real/require-peers.ts';
import { availableKubectls } from './kubectls.ts';
import { createKubectl, type Kubectl } from './run-kubectl.ts';

const programs = availableKubectls();

test('a kubectl is there to try', context => requirePeers(context, ['kubectl']));

describe.each(programs.map(program => [program.version, program] as const))('kubectl %s', (_, program) => {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-kubectl-'));
  let cluster: RunningCluster;
  let kubectl: Kubectl;
  beforeAll(async () => {
    const [port] = await freePorts(1);
    cluster = await startCluster({ data: join(folder, 'data'), memory: true, port });
    kubectl = createKubectl(program, cluster.kubeconfig, folder);
  });
  afterAll(async () => {
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  describe('learns what the cluster has', () => {
    test('api-versions', async () => {
      const versions = (await kubectl('api-versions')).trim().split('\n');
      expect(versions).toEqual(expect.arrayContaining(['apps/v1', 'autoscaling/v2', 'authorization.k8s.io/v1', 'v1']));
    });

    test('api-resources, with short names and verbs', async () => {
      expect(await kubectl('api-resources', '--no-headers')).toMatch(
        /^deployments +deploy +apps\/v1 +true +Deployment$/m,
      );
      const listed = (await kubectl('api-resources', '--verbs=list', '--namespaced', '-o', 'name')).split('\n');
      expect(listed).toContain('events.events.k8s.io');
      expect(listed).not.toContain('bindings');
    });
  });

  describe('explains', () => {
    test('a field of a built-in kind', async () => {
      const text = await kubectl('explain', 'deployment.spec.strategy');
      expect(text).toContain('describes how to replace existing pods with new ones');
      expect(text).toContain('rollingUpdate');
    });

    test('everything in a kind, in the version that is asked for', async () => {
      expect(await kubectl('explain', 'pod', '--recursive')).toContain('terminationGracePeriodSeconds');
      const older = await kubectl('explain', 'hpa.spec', '--api-version=autoscaling/v1');
      expect(older).toContain('targetCPUUtilizationPercentage');
    });

    test('a custom resource, as soon as it is defined', async () => {
      await kubectl.withInput(WIDGETS, 'apply');
      await kubectl('wait', '--for=condition=Established', 'crd/widgets.example.com', '--timeout=10s');
      expect(await kubectl('explain', 'widget.spec.color')).toContain('Of the paint.');
      expect(await kubectl('explain', 'wd', '--recursive')).toContain('color');
    });
  });

  describe('creates by its generators', () => {
    beforeAll(() => kubectl('create', 'namespace', 'made'));

    test.each(
      GENERATORS.filter(([since]) => program.minor >= since).map(([, ...args]) => [args.join(' '), args] as const),
    )('create %s', async (_text, args) => {
      const created = await kubectl('create', ...args, '-n', 'made');
      expect(created).toMatch(/ created$/m);
      const name = created.split(' ')[0]!;
      expect(await kubectl('get', name, '-n', 'made', '-o', 'name')).toBe(`${name}\n`);
    });

    test('what was asked for is what is there', async () => {
      await kubectl('create', 'deployment', 'web', '--image=nginx', '-n', 'made');
      await kubectl('create', 'secret', 'generic', 'password', '--from-literal=p=q', '-n', 'made');
      const path = (what: string, jsonPath: string) => kubectl('get', what, '-n', 'made', '-o', `jsonpath=${jsonPath}`);
      expect(await path('deployment/web', '{.spec.template.spec.containers[0].image}')).toBe('nginx');
      expect(await path('secret/password', '{.data.p}')).toBe('cQ==');
    });

    test('a dry run on the server leaves nothing', async () => {
      await kubectl('create', 'configmap', 'ghost', '--from-literal=a=b', '--dry-run=server', '-n', 'made');
      expect((await kubectl.attempt(['get', 'configmap', 'ghost', '-n', 'made'])).stderr).toContain('not found');
    });
  });

  describe.each([
    ['from the client', []],
    ['on the server', ['--server-side']],
  ])('applies %s', (_where, flags: string[]) => {
    const namespace = flags.length === 0 ? 'applied' : 'applied-ssa';
    const app = (replicas: number) => deployment('app', namespace, { replicas });
    beforeAll(() => kubectl('create', 'namespace', namespace));

    test('creates, shows the difference, changes, and sees when nothing is to be done', async () => {
      const said = flags.length === 0 ? ['created', 'configured', 'unchanged'] : Array(3).fill('serverside-applied');
      expect(await kubectl.withInput(app(1), 'apply', ...flags)).toBe(`deployment.apps/app ${said[0]}\n`);
      const difference = await kubectl.attempt(['diff', ...flags, '-f', '-'], JSON.stringify(app(3)));
      expect(difference).toMatchObject({
        code: 1,
        stdout: expect.stringMatching(/^-\s+replicas: 1\n\+\s+replicas: 3$/m),
      });
      expect(await kubectl.withInput(app(3), 'apply', ...flags)).toBe(`deployment.apps/app ${said[1]}\n`);
      expect(await kubectl.withInput(app(3), 'diff', ...flags)).toBe('');
      expect(await kubectl.withInput(app(3), 'apply', ...flags)).toBe(`deployment.apps/app ${said[2]}\n`);
    });

    test('refuses a field that the kind does not have', async () => {
      const wrong = deployment('wrong', namespace, { replicass: 1 });
      const { code, stderr } = await kubectl.attempt(['apply', ...flags, '-f', '-'], JSON.stringify(wrong));
      expect(code).toBe(1);
      expect(stderr).toContain('replicass');
    });

    test('a custom resource, held to its schema', async () => {
      await kubectl.withInput(WIDGETS, 'apply');
      await kubectl('wait', '--for=condition=Established', 'crd/widgets.example.com', '--timeout=10s');
      await kubectl.withInput(widget(namespace, { color: 'red' }), 'apply', ...flags);
      const wrong = JSON.stringify(widget(namespace, { color: 'red', colour: 'red' }));
      const { code, stderr } = await kubectl.attempt(['apply', ...flags, '-f', '-'], wrong);
      expect(code).toBe(1);
      expect(stderr).toContain('colour');
    });
  });

  describe('deletes', () => {
    test('one object and waits until it is gone', async () => {
      await kubectl('create', 'configmap', 'short', '--from-literal=a=b');
      expect(await kubectl('delete', 'configmap', 'short', '--wait')).toContain('configmap "short" deleted');
      expect((await kubectl.attempt(['get', 'configmap', 'short'])).stderr).toContain('not found');
    });

    test('all of a kind', async () => {
      await kubectl('create', 'namespace', 'swept');
      await kubectl('create', 'secret', 'generic', 'one', '-n', 'swept');
      await kubectl('create', 'secret', 'generic', 'two', '-n', 'swept');
      await kubectl('delete', 'secrets', '--all', '-n', 'swept');
      expect(await kubectl('get', 'secrets', '-n', 'swept', '-o', 'name')).toBe('');
    });
  });
});

/** The kubectl from which on a generator makes what Kubernetes still serves, and its arguments. */
const GENERATORS: readonly (readonly [since: number, ...args: string[]])[] = [
  [20, 'namespace', 'made-too'],
  [20, 'deployment', 'generated', '--image=nginx', '--replicas=2'],
  [20, 'configmap', 'generated', '--from-literal=a=b'],
  [20, 'secret', 'generic', 'generated', '--from-literal=p=q'],
  [20, 'job', 'generated', '--image=busybox'],
  [20, 'role', 'generated', '--verb=get', '--resource=pods'],
  [20, 'rolebinding', 'generated', '--role=generated', '--user=someone'],
  [20, 'clusterrole', 'generated', '--verb=get,list', '--resource=deployments.apps'],
  [20, 'serviceaccount', 'generated'],
  [20, 'ingress', 'generated', '--rule=example.com/=web:80'],
  [20, 'service', 'clusterip', 'generated', '--tcp=80:8080'],
  [20, 'quota', 'generated', '--hard=services=20'],
  [20, 'priorityclass', 'generated', '--value=10'],
  [21, 'poddisruptionbudget', 'generated', '--selector=app=web', '--min-available=50%'],
  [21, 'cronjob', 'generated', '--image=busybox', '--schedule=0 3 * * *'],
];

const WIDGETS = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget', shortNames: ['wd'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { color: { type: 'string', description: 'Of the paint.' } } },
            },
          },
        },
      },
    ],
  },
};

const widget = (namespace: string, spec: object): object => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'one', namespace },
  spec,
});

function deployment(name: string, namespace: string, more: object): object {
  const template = { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'main', image: 'nginx' }] } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: { selector: { matchLabels: { app: name } }, template, ...more },
  };
}
