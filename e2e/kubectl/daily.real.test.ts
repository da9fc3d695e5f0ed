/** What people do all day, with real kubectls on the whole embedded cluster: controllers, node and all. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Platform, startPlatform } from '@capstan/cli';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePorts } from '../real/ports.ts';
import { until } from '../real/until.ts';
import { availableKubectls } from './kubectls.ts';
import { createKubectl, type Kubectl } from './run-kubectl.ts';

describe.each(availableKubectls().map(program => [program.version, program] as const))('kubectl %s', (_, program) => {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-daily-'));
  let platform: Platform;
  let kubectl: Kubectl;
  beforeAll(async () => {
    const [port] = await freePorts(1);
    const options = { data: join(folder, 'data'), memory: true, port };
    platform = await startPlatform(options, new Set(['controllers', 'node']));
    kubectl = createKubectl(program, platform.cluster.kubeconfig, folder);
    await kubectl('create', 'deployment', 'hello', '--image=capstan/demo-http');
    await kubectl('wait', 'deployment/hello', '--for=condition=Available', '--timeout=60s');
  });
  afterAll(async () => {
    await platform?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  /** Some verbs came later than others: of what a version does not have, nothing is to be tested. */
  const since = (minor: number) => (program.minor >= minor ? test : () => {});

  describe('get', () => {
    test('a table, a wide one, and names', async () => {
      expect(await kubectl('get', 'deployments')).toMatch(
        /^NAME +READY +UP-TO-DATE +AVAILABLE +AGE\nhello +1\/1 +1 +1 /,
      );
      expect(await kubectl('get', 'pods', '-o', 'wide')).toMatch(
        /NOMINATED NODE +READINESS GATES\n.*1\/1 +Running.*127\./,
      );
      expect(await kubectl('get', 'deploy,rs', '-o', 'name')).toMatch(
        /^deployment.apps\/hello\nreplicaset.apps\/hello-/,
      );
    });

    test('YAML, JSONPath and columns of one’s own', async () => {
      expect(await kubectl('get', 'deploy', 'hello', '-o', 'yaml')).toMatch(/^apiVersion: apps\/v1\nkind: Deployment/);
      const image = '{.spec.template.spec.containers[0].image}';
      expect(await kubectl('get', 'deploy', 'hello', '-o', `jsonpath=${image}`)).toBe('capstan/demo-http');
      const columns = 'custom-columns=WHO:.metadata.name,HOW:.spec.replicas';
      expect(await kubectl('get', 'deploy', '-o', columns)).toMatch(/^WHO +HOW\nhello +1$/m);
    });

    test('by labels and by fields', async () => {
      expect(await kubectl('get', 'pods', '-l', 'app=hello', '-o', 'name')).toMatch(/^pod\/hello-/);
      expect(await kubectl('get', 'pods', '-l', 'app!=hello', '-o', 'name')).toBe('');
      expect(await kubectl('get', 'pods', '--field-selector=status.phase=Running', '-o', 'name')).toMatch(/^pod\//);
      expect(await kubectl('get', 'pods', '--field-selector=status.phase=Failed', '-o', 'name')).toBe('');
    });

    test('in chunks: all of them, once', async () => {
      for (const name of ['a', 'b', 'c', 'd', 'e']) await kubectl('create', 'configmap', `chunk-${name}`);
      const names = (await kubectl('get', 'configmaps', '--chunk-size=2', '-o', 'name')).trim().split('\n');
      expect(names.filter(name => name.includes('chunk-'))).toHaveLength(5);
      expect(new Set(names).size).toBe(names.length);
    });

    test('--watch tells what happens', async () => {
      const args = ['get', 'configmaps', '--watch', '-o', 'name', `--cache-dir=${folder}/cache`];
      const child = spawn(program.path, args, { env: { KUBECONFIG: platform.cluster.kubeconfig, HOME: folder } });
      let seen = '';
      child.stdout.on('data', data => (seen += data));
      try {
        await until('the watch shows what is there', () => seen.includes('configmap/'));
        await kubectl('create', 'configmap', 'watched');
        await until('the watch tells of a new one', () => seen.includes('configmap/watched'));
      } finally {
        child.kill();
      }
    });
  });

  test('describe tells the story of a Deployment and of a Pod, with Events', async () => {
    const deployment = await kubectl('describe', 'deployment', 'hello');
    expect(deployment).toMatch(/Replicas: +1 desired \| 1 updated \| 1 total \| 1 available \| 0 unavailable/);
    await until('the Events are written', async () =>
      /Normal +ScalingReplicaSet/.test(await kubectl('describe', 'deployment', 'hello')),
    );
    await until('the Pod has its Events', async () => /Normal +Started/.test(await kubectl('describe', 'pods')));
    expect(await kubectl('describe', 'node')).toMatch(/Ready +True/);
  });

  test('edit by an editor', async () => {
    await kubectl('create', 'configmap', 'edited', '--from-literal=color=red');
    const editor = join(folder, 'editor.sh');
    writeFileSync(editor, '#!/bin/sh\nsed -i s/red/blue/ "$1"\n');
    chmodSync(editor, 0o755);
    const env = { PATH: process.env['PATH'], HOME: folder, KUBECONFIG: platform.cluster.kubeconfig, EDITOR: editor };
    const args = ['edit', 'configmap', 'edited', `--cache-dir=${folder}/cache`];
    const code = await new Promise(resolve => spawn(program.path, args, { env }).once('close', resolve));
    expect(code).toBe(0);
    expect(await kubectl('get', 'configmap', 'edited', '-o', 'jsonpath={.data.color}')).toBe('blue');
  });

  test.each([
    ['strategic', '{"metadata":{"labels":{"by":"strategic"}}}'],
    ['merge', '{"metadata":{"labels":{"by":"merge"}}}'],
    ['json', '[{"op":"replace","path":"/metadata/labels/by","value":"json"}]'],
  ])('patch --type=%s', async (type, patch) => {
    await kubectl('patch', 'deployment', 'hello', `--type=${type}`, '-p', patch);
    expect(await kubectl('get', 'deploy', 'hello', '-o', 'jsonpath={.metadata.labels.by}')).toBe(type);
  });

  test('label and annotate: set, refuse to overwrite, overwrite, remove', async () => {
    await kubectl('create', 'configmap', 'marked');
    const read = (what: string) => kubectl('get', 'configmap', 'marked', '-o', `jsonpath={.metadata.${what}.tier}`);
    for (const [verb, what] of [
      ['label', 'labels'],
      ['annotate', 'annotations'],
    ] as const) {
      await kubectl(verb, 'configmap', 'marked', 'tier=one');
      expect((await kubectl.attempt([verb, 'configmap', 'marked', 'tier=two'])).stderr).toContain(
        '--overwrite is false',
      );
      await kubectl(verb, 'configmap', 'marked', 'tier=two', '--overwrite');
      expect(await read(what)).toBe('two');
      await kubectl(verb, 'configmap', 'marked', 'tier-');
      expect(await read(what)).toBe('');
    }
  });

  test('scale, and wait until it is so', async () => {
    await kubectl('scale', 'deployment', 'hello', '--replicas=3', '--current-replicas=1');
    await kubectl('rollout', 'status', 'deployment/hello', '--timeout=60s');
    expect(await kubectl('get', 'pods', '-l', 'app=hello', '-o', 'name')).toMatch(/^(pod\/\S+\n){3}$/);
    await kubectl('scale', 'deployment', 'hello', '--replicas=1');
    await until('two of three Pods are gone', async () =>
      /^pod\/\S+\n$/.test(await kubectl('get', 'pods', '-l', 'app=hello', '-o', 'name')),
    );
  });

  test('rollout: a new version, its history, back again, and a restart', async () => {
    const image = () => kubectl('get', 'deploy', 'hello', '-o', 'jsonpath={.spec.template.spec.containers[0].image}');
    await kubectl('set', 'image', 'deployment/hello', 'demo-http=capstan/demo-http:2');
    await kubectl('rollout', 'status', 'deployment/hello', '--timeout=60s');
    expect(await kubectl('rollout', 'history', 'deployment/hello')).toMatch(/^1 .*\n2 /m);
    await kubectl('rollout', 'undo', 'deployment/hello');
    await kubectl('rollout', 'status', 'deployment/hello', '--timeout=60s');
    expect(await image()).toBe('capstan/demo-http');
    await kubectl('rollout', 'restart', 'deployment/hello');
    await kubectl('rollout', 'status', 'deployment/hello', '--timeout=60s');
    await kubectl('rollout', 'pause', 'deployment/hello');
    await kubectl('rollout', 'resume', 'deployment/hello');
  });

  test('wait for a condition and for an end', async () => {
    // Of the Deployment, not of its Pods: one that is on its way out would end the wait with an error.
    await kubectl('wait', 'deployment/hello', '--for=condition=Available', '--timeout=60s');
    await kubectl('create', 'configmap', 'leaving');
    const waiting = kubectl.attempt(['wait', 'configmap/leaving', '--for=delete', '--timeout=60s']);
    await kubectl('delete', 'configmap', 'leaving');
    const { code, stderr } = await waiting;
    // One that comes too late to see it go says so, in old versions with an error.
    if (code !== 0) expect(stderr).toContain('no matching resources found');
  });

  since(23)('wait for a value by JSONPath', () =>
    kubectl('wait', 'deployment/hello', '--for=jsonpath={.status.readyReplicas}=1', '--timeout=60s'),
  );

  test.each([
    ['background', 0],
    ['foreground', 0],
    ['orphan', 1],
  ])('delete --cascade=%s', async (mode, left) => {
    const name = `goes-${mode}`;
    await kubectl('create', 'deployment', name, '--image=capstan/pause');
    const owned = async () => (await kubectl('get', 'rs', '-l', `app=${name}`, '-o', 'name')).trim().split('\n');
    await until('its ReplicaSet is there', async () => (await owned())[0] !== '');
    await kubectl('delete', 'deployment', name, `--cascade=${mode}`, '--wait', '--timeout=60s');
    if (left === 1) expect((await owned())[0]).not.toBe('');
    else await until('its ReplicaSet is gone', async () => (await owned())[0] === '');
  });

  test('delete a namespace with what is in it', async () => {
    await kubectl('create', 'namespace', 'short-lived');
    await kubectl('create', 'deployment', 'inside', '--image=capstan/pause', '-n', 'short-lived');
    await kubectl('delete', 'namespace', 'short-lived', '--wait', '--timeout=60s');
    expect((await kubectl.attempt(['get', 'namespace', 'short-lived'])).stderr).toContain('not found');
  });

  describe('auth', () => {
    test('can-i, for oneself and for others', async () => {
      expect(await kubectl('auth', 'can-i', 'create', 'deployments')).toBe('yes\n');
      const viewer = await kubectl.attempt(['auth', 'can-i', 'create', 'deployments', '--context=viewer']);
      expect(viewer).toMatchObject({ code: 1, stdout: 'no\n' });
      const account = '--as=system:serviceaccount:default:default';
      expect((await kubectl.attempt(['auth', 'can-i', 'get', 'secrets', account])).stdout).toBe('no\n');
      expect(await kubectl('auth', 'can-i', '--list', '--context=viewer')).toMatch(
        /deployments\.apps .*\[get list watch\]/,
      );
    });

    since(28)('whoami', async () => {
      expect(await kubectl('auth', 'whoami', '-o', 'jsonpath={.status.userInfo.groups}')).toContain('system:masters');
    });

    since(24)('a token of an account is good for what the account may do', async () => {
      await kubectl('create', 'serviceaccount', 'reader');
      await kubectl('create', 'rolebinding', 'reader', '--clusterrole=view', '--serviceaccount=default:reader');
      const token = (await kubectl('create', 'token', 'reader')).trim();
      const as = [
        '--kubeconfig=/dev/null',
        `--server=${platform.cluster.url}`,
        `--token=${token}`,
        '--insecure-skip-tls-verify',
      ];
      expect(await kubectl('get', 'pods', '-o', 'name', ...as)).toContain('pod/');
      expect((await kubectl.attempt(['get', 'secrets', ...as])).stderr).toContain('is forbidden');
    });
  });

  test('logs: all, the last ones, followed, and of a Job', async () => {
    expect(await kubectl('logs', 'deployment/hello')).toContain('listening on http://127.');
    expect(await kubectl('logs', 'deployment/hello', '--tail=1', '--timestamps')).toMatch(/^\d{4}-\d\d-\d\dT\S+Z /);
    await kubectl('create', 'job', 'counting', '--image=capstan/demo-job');
    await kubectl('wait', 'job/counting', '--for=condition=Complete', '--timeout=60s');
    const lines = await kubectl('logs', 'job/counting');
    expect(lines.trim().split('\n').length).toBeGreaterThan(0);
    expect(await kubectl('logs', '-f', 'job/counting')).toBe(lines);
  });

  test('expose, and the endpoints are the Pods', async () => {
    await kubectl('expose', 'deployment', 'hello', '--port=80', '--target-port=8080');
    const address = await kubectl('get', 'pods', '-l', 'app=hello', '-o', 'jsonpath={.items[0].status.podIP}');
    await until('the Service has its endpoint', async () =>
      (await kubectl('get', 'endpoints', 'hello', '-o', 'jsonpath={.subsets[*].addresses[*].ip}')).includes(address),
    );
    expect(await (await fetch(`http://${address}:8080/`)).text()).toContain('hello-');
  });

  test('events of the namespace', async () => {
    expect(await kubectl('get', 'events')).toMatch(/LAST SEEN +TYPE +REASON +OBJECT +MESSAGE/);
  });
  since(23)('events, by the verb of that name', async () => {
    expect(await kubectl(...(program.minor >= 26 ? [] : ['alpha']), 'events')).toContain('ScalingReplicaSet');
  });

  since(31)('exec, with the exit code of the program', async () => {
    expect(await kubectl('exec', 'deployment/hello', '--', 'sh', '-c', 'echo from inside')).toBe('from inside\n');
    const failing = await kubectl.attempt(['exec', 'deployment/hello', '--', 'sh', '-c', 'exit 3']);
    expect(failing).toMatchObject({ code: 3 });
  });
});
