import { configMaps, leases, nodes, type Pod, pods, secrets, services } from '@capstan/kube';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestNode, type TestNode } from './node.fixture.ts';

let test: TestNode;
beforeEach(async () => {
  test = await createTestNode();
});
afterEach(() => test.end());

const isReady = ({ status }: Pod): boolean =>
  status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;
const isRunning = ({ status }: Pod): boolean => status?.containerStatuses?.[0]?.state?.running !== undefined;
const waitsFor =
  (reason: string) =>
  ({ status }: Pod): boolean =>
    status?.containerStatuses?.[0]?.state?.waiting?.reason === reason;
const app = (more: object = {}) => ({ name: 'app', image: 'none', command: ['app'], ...more });

describe('the node', () => {
  it('registers itself, with what it has and that it is ready', async () => {
    const node = await test.client.get(nodes, { name: 'test' });
    expect(node.metadata.labels).toMatchObject({ 'kubernetes.io/hostname': 'test', 'kubernetes.io/os': 'linux' });
    expect(node.status?.addresses).toContainEqual({ type: 'InternalIP', address: '127.0.0.1' });
    expect(node.status?.allocatable).toMatchObject({ pods: '110' });
    expect(node.status?.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }));
  });

  it('renews its Lease every ten seconds', async () => {
    const renewed = async () =>
      (await test.client.get(leases, { namespace: 'kube-node-lease', name: 'test' })).spec?.renewTime;
    const before = await renewed();
    await test.clock.advance(10_000);
    expect(Date.parse((await renewed())!) - Date.parse(before!)).toBe(10_000);
  });

  it('says that it is not ready when it is stopped', async () => {
    await test.node.stop();
    const { status } = await test.client.get(nodes, { name: 'test' });
    expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'False' }));
  });
});

describe('a Pod', () => {
  it('runs, gets an address of its own, and is ready', async () => {
    await test.run('a', {});
    await test.run('b', {});
    const [a, b] = [await test.until('a', isReady), await test.until('b', isReady)];
    expect(a.status).toMatchObject({
      phase: 'Running',
      hostIP: '127.0.0.1',
      startTime: '2026-01-01T00:00:00Z',
      observedGeneration: 1,
    });
    expect(a.status?.podIP).toMatch(/^127\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./);
    expect(a.status?.podIP).not.toBe(b.status?.podIP);
    expect(await test.reasons()).toEqual(expect.arrayContaining(['Pulled', 'Created', 'Started']));
  });

  it('is deleted when its processes have ended: SIGTERM first', async () => {
    await test.run('a', {});
    await test.until('a', isReady);
    await test.client.delete(pods, { namespace: 'default', name: 'a' });
    await test.gone('a');
    expect(test.machine.process('app')!.signals).toEqual(['SIGTERM']);
  });

  it('is killed when its grace period is over, and stays until then', async () => {
    await test.run('a', { terminationGracePeriodSeconds: 20 });
    await test.until('a', isReady);
    const process = await test.process('app');
    process.onTerminate = () => {};
    await test.client.delete(pods, { namespace: 'default', name: 'a' });
    await test.process('app', ({ signals }) => signals.includes('SIGTERM'));
    await test.clock.advance(19_000);
    expect(process.signals).toEqual(['SIGTERM']);
    expect(await test.get('a')).toBeDefined();
    await test.clock.advance(1_000);
    expect(process.signals).toEqual(['SIGTERM', 'SIGKILL']);
    await test.gone('a');
  });

  it('that is forced away is killed at once', async () => {
    await test.run('a', {});
    await test.until('a', isReady);
    await test.client.delete(pods, { namespace: 'default', name: 'a' }, { grace: 0 });
    const process = await test.process('app', ({ signals }) => signals.length > 0);
    expect(process.signals).toEqual(['SIGKILL']);
  });

  it('keeps its address and counts a restart when the node starts anew', async () => {
    await test.run('a', {});
    const before = await test.until('a', isReady);
    await test.restart();
    const after = await test.until('a', pod => isReady(pod) && pod.status?.containerStatuses?.[0]?.restartCount === 1);
    expect(after.status?.podIP).toBe(before.status?.podIP);
    expect(after.status?.containerStatuses?.[0]?.lastState).toMatchObject({
      terminated: { exitCode: 137, reason: 'ContainerStatusUnknown' },
    });
    expect(test.machine.processes).toHaveLength(2);
  });

  it('that must not be restarted has failed when the node starts anew', async () => {
    await test.run('a', { restartPolicy: 'Never' });
    await test.until('a', isReady);
    await test.restart();
    await test.until('a', ({ status }) => status?.phase === 'Failed');
    expect(test.machine.processes).toHaveLength(1);
  });

  it('is gone from the node when it was deleted while the node was away', async () => {
    await test.run('a', {});
    await test.until('a', isReady);
    await test.node.stop();
    await test.client.delete(pods, { namespace: 'default', name: 'a' });
    await test.restart();
    await test.gone('a');
    expect(test.machine.processes).toHaveLength(1);
  });
});

describe('a container', () => {
  it('that ends again and again is in CrashLoopBackOff, and runs again after its time', async () => {
    await test.run('a', {});
    (await test.process('app')).exit(1);
    (await test.process('app', process => process !== test.machine.processes[0])).exit(1);
    const pod = await test.until('a', waitsFor('CrashLoopBackOff'));
    expect(pod.status?.containerStatuses?.[0]).toMatchObject({
      restartCount: 1,
      lastState: { terminated: { exitCode: 1, reason: 'Error' } },
    });
    expect(await test.reasons()).toContain('BackOff');
    await test.clock.advance(10_000);
    await test.until('a', ({ status }) => status?.containerStatuses?.[0]?.restartCount === 2);
  });

  it('whose program is not there has a StartError', async () => {
    test.machine.failToStart = 'exec: "app": executable file not found in $PATH';
    await test.run('a', { restartPolicy: 'Never' });
    const pod = await test.until('a', ({ status }) => status?.phase === 'Failed');
    expect(pod.status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({
      exitCode: 128,
      reason: 'StartError',
    });
  });

  it('whose image is not known waits, and says which there are', async () => {
    await test.run('a', { containers: [{ name: 'app', image: 'nginx' }] });
    const pod = await test.until('a', waitsFor('ErrImagePull'));
    expect(pod.status?.containerStatuses?.[0]?.state?.waiting?.message).toContain('capstan/demo-http');
    await test.clock.advance(2_000);
    await test.until('a', waitsFor('ImagePullBackOff'));
    expect(await test.reasons()).toEqual(expect.arrayContaining(['Pulling', 'Failed', 'BackOff']));
  });

  it('waits for its ConfigMap and starts as soon as that is there', async () => {
    await test.run('a', { containers: [app({ envFrom: [{ configMapRef: { name: 'settings' } }] })] });
    const pod = await test.until('a', waitsFor('CreateContainerConfigError'));
    expect(pod.status?.containerStatuses?.[0]?.state?.waiting?.message).toBe('configmap "settings" not found');
    await test.client.create(configMaps, {
      metadata: { name: 'settings', namespace: 'default' },
      data: { COLOUR: 'blue' },
    });
    expect((await test.process('app')).launch.env).toMatchObject({ COLOUR: 'blue' });
  });

  it('has the environment that it asked for', async () => {
    await test.client.create(secrets, { metadata: { name: 's', namespace: 'default' }, data: { key: 'aHVudGVy' } });
    await test.client.create(services, {
      metadata: { name: 'web-site', namespace: 'default' },
      spec: { clusterIP: '10.96.0.7', ports: [{ name: 'http', port: 80 }] },
    });
    const env = [
      { name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 's', key: 'key' } } },
      { name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'LABEL', valueFrom: { fieldRef: { fieldPath: "metadata.labels['app']" } } },
      { name: 'LIMIT', valueFrom: { resourceFieldRef: { resource: 'limits.memory', divisor: '1Mi' } } },
      { name: 'URL', value: 'http://$(POD_IP):8080/$(NAME)/$(NOBODY)/$$(NAME)' },
    ];
    const resources = { limits: { memory: '64Mi' } };
    await test.run('a', { containers: [app({ env, resources, args: ['--listen=$(POD_IP)'] })] });
    const pod = await test.until('a', isRunning);
    const { launch } = test.machine.process('app')!;
    expect(launch.command).toEqual(['app', `--listen=${pod.status?.podIP}`]);
    expect(launch.env).toMatchObject({
      PASSWORD: 'hunter',
      NAME: 'a',
      LABEL: 'a',
      LIMIT: '64',
      URL: `http://${pod.status?.podIP}:8080/a/$(NOBODY)/$(NAME)`,
      KUBERNETES_SERVICE_HOST: '127.0.0.1',
      KUBERNETES_SERVICE_PORT: '6443',
      WEB_SITE_SERVICE_HOST: '10.96.0.7',
      WEB_SITE_SERVICE_PORT_HTTP: '80',
      WEB_SITE_PORT_80_TCP_ADDR: '10.96.0.7',
    });
  });

  it('is told when a port that it names is taken', async () => {
    test.machine.listening = [{ address: '0.0.0.0', port: 8080, inode: '1' }];
    await test.run('a', { containers: [app({ ports: [{ containerPort: 8080 }] })] });
    (await test.process('app')).exit(1);
    await test.until('a', ({ status }) => status?.containerStatuses?.[0]?.restartCount === 1);
    expect(await test.reasons()).toContain('PortClash');
  });

  it('is told when it binds every address', async () => {
    test.machine.wildcards = [8080];
    await test.run('a', {});
    await test.until('a', isRunning);
    await test.clock.advance(5_000);
    expect(await test.reasons()).toContain('PortClash');
  });
});

describe('probes and hooks', () => {
  const httpGet = { port: 8080 };

  it('a Pod is ready when its readiness probe says so, and not any more after three failures', async () => {
    let ok = false;
    test.machine.answer = () => (ok ? { ok: true } : { ok: false, message: 'HTTP probe failed with statuscode: 503' });
    await test.run('a', { containers: [app({ readinessProbe: { httpGet, periodSeconds: 5 } })] });
    const pod = await test.until('a', isRunning);
    expect(isReady(pod)).toBe(false);
    ok = true;
    await test.clock.advance(5_000);
    await test.until('a', isReady);
    ok = false;
    await test.clock.advance(10_000);
    expect(isReady((await test.get('a'))!)).toBe(true);
    await test.clock.advance(5_000);
    await test.until('a', current => !isReady(current));
    expect(await test.reasons()).toContain('Unhealthy');
    expect(test.machine.processes).toHaveLength(1);
  });

  it('a container whose liveness probe fails three times is stopped and restarted', async () => {
    test.machine.answer = () => ({ ok: false, message: 'no' });
    await test.run('a', {
      containers: [app({ livenessProbe: { httpGet, periodSeconds: 1, initialDelaySeconds: 5 } })],
    });
    await test.until('a', isRunning);
    await test.clock.advance(5_000);
    expect(test.machine.process('app')!.signals).toEqual([]);
    await test.clock.advance(2_000);
    const pod = await test.until('a', ({ status }) => status?.containerStatuses?.[0]?.restartCount === 1);
    expect(pod.status?.containerStatuses?.[0]?.lastState?.terminated?.exitCode).toBe(143);
    expect(await test.reasons()).toContain('Killing');
  });

  it('nothing else is asked before the startup probe has succeeded', async () => {
    let up = false;
    test.machine.answer = () => (up ? { ok: true } : { ok: false, message: 'not yet' });
    const startupProbe = { exec: { command: ['up'] }, periodSeconds: 1, failureThreshold: 30 };
    await test.run('a', {
      containers: [app({ startupProbe, livenessProbe: { httpGet, periodSeconds: 1, failureThreshold: 1 } })],
    });
    await test.until('a', isRunning);
    await test.clock.advance(10_000);
    expect(test.machine.actions.every(({ exec }) => exec !== undefined)).toBe(true);
    expect((await test.get('a'))?.status?.containerStatuses?.[0]?.started).toBe(false);
    up = true;
    await test.clock.advance(1_000);
    await test.until('a', ({ status }) => status?.containerStatuses?.[0]?.started === true);
  });

  it('preStop comes before SIGTERM', async () => {
    const lifecycle = { preStop: { exec: { command: ['drain'] } }, postStart: { exec: { command: ['warm'] } } };
    await test.run('a', { containers: [app({ lifecycle })] });
    await test.until('a', isReady);
    const process = await test.process('app');
    const order: string[] = [];
    test.machine.answer = action => {
      order.push(action.exec!.command![0]!);
      return { ok: true };
    };
    process.onTerminate = () => {
      order.push('SIGTERM');
      process.exit(0);
    };
    await test.client.delete(pods, { namespace: 'default', name: 'a' });
    await test.gone('a');
    expect(order).toEqual(['drain', 'SIGTERM']);
  });
});

describe('init containers and sidecars', () => {
  it('run in order, and sidecars end last', async () => {
    const initContainers = [
      app({ name: 'setup', command: ['setup'] }),
      app({ name: 'proxy', command: ['proxy'], restartPolicy: 'Always' }),
    ];
    await test.run('a', { initContainers, restartPolicy: 'Never' });
    const setup = await test.process('setup');
    const waiting = await test.until(
      'a',
      ({ status }) => status?.initContainerStatuses?.[0]?.state?.running !== undefined,
    );
    expect(waiting.status).toMatchObject({
      phase: 'Pending',
      containerStatuses: [{ state: { waiting: { reason: 'PodInitializing' } } }],
    });
    expect(test.machine.process('proxy')).toBeUndefined();
    setup.exit(0);
    const [proxy, main] = [await test.process('proxy'), await test.process('app')];
    await test.until('a', isReady);
    main.exit(0);
    await test.process('proxy', ({ signals }) => signals.includes('SIGTERM'));
    const done = await test.until('a', ({ status }) => status?.phase === 'Succeeded');
    expect(proxy.signals).toEqual(['SIGTERM']);
    expect(done.status?.initContainerStatuses?.map(({ name }) => name)).toEqual(['setup', 'proxy']);
  });
});

it('a Pod that is active for too long fails', async () => {
  await test.run('a', { activeDeadlineSeconds: 60 });
  await test.until('a', isReady);
  await test.clock.advance(60_000);
  const pod = await test.until('a', ({ status }) => status?.phase === 'Failed');
  expect(pod.status?.reason).toBe('DeadlineExceeded');
  expect(await test.reasons()).toContain('DeadlineExceeded');
  expect(test.machine.process('app')!.signals).toEqual(['SIGTERM']);
});
