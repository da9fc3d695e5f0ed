import { drained } from '@capstan/lab';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Conversation, converse, PODS } from '../conversation.fixture.ts';
import { ProcessAgent } from './process-agent.fixture.ts';

let talk: Conversation;
let agent: ProcessAgent;
beforeEach(async () => {
  talk = await converse();
  agent = new ProcessAgent();
  talk.server.nodes.register('laptop', agent);
});
afterEach(() => talk.server.close());

const container = (name: string) => ({ name, image: 'example/main:1' });

async function pod(name: string, names: readonly string[], more: object = { nodeName: 'laptop' }): Promise<void> {
  await talk.post(PODS, { metadata: { name }, spec: { containers: names.map(container), ...more } });
}

async function say(name: string, statuses: readonly object[]): Promise<void> {
  const containerStatuses = statuses.map(status => ({
    ...{ name: 'main', image: '', imageID: '', ready: false, restartCount: 0 },
    ...status,
  }));
  const { status, body } = await talk.merge(`${PODS}/${name}/status`, { status: { containerStatuses } });
  expect([status, body['status'].containerStatuses]).toMatchObject([200, statuses]);
}

async function running(): Promise<void> {
  await pod('web', ['main']);
  await say('web', [{ state: { running: {} } }]);
}

const log = (name: string, query = {}) => talk.get(`${PODS}/${name}/log`, query);

describe('a log', () => {
  it('is what the container wrote, as text', async () => {
    await running();
    agent.log.write('one\n');
    agent.log.write('two\n', 0, 'stderr');
    expect(await log('web')).toMatchObject({ status: 200, body: 'one\ntwo\n' });
  });

  it('is cut by lines, bytes and times', async () => {
    await running();
    const now = talk.clock.now();
    agent.log.write('old\n', now - 60_000);
    agent.log.write('recent\n', now - 5_000);
    agent.log.write('new\n', now);
    const text = async (query: object) => (await log('web', query)).body;
    expect(await text({ tailLines: '2' })).toBe('recent\nnew\n');
    expect(await text({ tailLines: '0' })).toBe('');
    expect(await text({ limitBytes: '6' })).toBe('old\nre');
    expect(await text({ sinceSeconds: '10' })).toBe('recent\nnew\n');
    expect(await text({ sinceTime: new Date(now - 5_000).toISOString() })).toBe('recent\nnew\n');
    expect(await text({ sinceSeconds: '10', tailLines: '1', timestamps: 'true' })).toMatch(/^\S+\.\d{9}Z new\n$/);
  });

  it('goes on while it is followed, until the container has ended', async () => {
    await running();
    agent.log.write('first\n');
    const answer = log('web', { follow: 'true' });
    await drained();
    agent.log.write('later\n');
    agent.log.end();
    expect((await answer).body).toBe('first\nlater\n');
    expect(agent.log.readers).toBe(0);
  });

  it('is left by the server when the limit is reached, though it is followed', async () => {
    await running();
    agent.log.write('0123456789\n');
    expect((await log('web', { follow: 'true', limitBytes: '4' })).body).toBe('0123');
    expect(agent.log.readers).toBe(0);
  });

  it('that the node cannot give is refused with what the node says', async () => {
    await pod('web', ['main']);
    await say('web', [{ state: { running: {} }, lastState: { terminated: { exitCode: 1 } } }]);
    expect(await log('web', { previous: 'true' })).toMatchObject({
      status: 400,
      body: { reason: 'BadRequest', message: 'previous log of main is lost' },
    });
  });
});

describe('the container', () => {
  it('has to be named where there are several', async () => {
    await pod('two', ['a', 'b'], { nodeName: 'laptop', initContainers: [container('i')] });
    expect((await log('two')).body).toMatchObject({
      code: 400,
      message: 'a container name must be specified for pod two, choose one of: [i a b]',
    });
    expect((await log('two', { container: 'c' })).body['message']).toBe('container c is not valid for pod two');
  });

  it.each([
    [undefined, 'container "main" in pod "web" is not available'],
    [
      { state: { waiting: { reason: 'ContainerCreating' } } },
      'container "main" in pod "web" is waiting to start: ContainerCreating',
    ],
    [
      { state: { waiting: { reason: 'ErrImagePull' } } },
      `container "main" in pod "web" is waiting to start: image can't be pulled`,
    ],
    [
      { state: { waiting: { reason: 'ImagePullBackOff' } } },
      'container "main" in pod "web" is waiting to start: trying and failing to pull image',
    ],
  ])('that says %j of itself has no log yet', async (status, message) => {
    await pod('web', ['main']);
    if (status) await say('web', [status]);
    expect((await log('web')).body).toMatchObject({ code: 400, reason: 'BadRequest', message });
  });

  it('that never restarted has no previous log', async () => {
    await running();
    expect((await log('web', { previous: 'true' })).body['message']).toBe(
      'previous terminated container "main" in pod "web" not found',
    );
  });

  it('that crashed has one, between its restarts as well', async () => {
    await pod('web', ['main']);
    await say('web', [
      { state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: { terminated: { exitCode: 1 } } },
    ]);
    agent.log.write('last words\n');
    expect((await log('web')).body).toBe('last words\n');
  });
});

describe('options', () => {
  it.each([
    [{ tailLines: '-1' }, 'tailLines: Invalid value: -1: must be greater than or equal to 0'],
    [{ limitBytes: '0' }, 'limitBytes: Invalid value: 0: must be greater than 0'],
    [{ sinceSeconds: '0' }, 'sinceSeconds: Invalid value: 0: must be greater than 0'],
    [{ stream: 'Stdout' }, 'stream: Forbidden: may not be specified'],
    [
      { sinceSeconds: '1', sinceTime: '2026-01-01T00:00:00Z' },
      '[]: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified',
    ],
  ])('%j are invalid', async (query, message) => {
    await running();
    expect((await log('web', query)).body).toMatchObject({
      code: 422,
      message: `PodLogOptions "web" is invalid: ${message}`,
      details: { name: 'web', kind: 'PodLogOptions' },
    });
  });

  it.each([
    [{ tailLines: 'x' }, 'strconv.ParseInt: parsing "x": invalid syntax'],
    [
      { sinceTime: 'yesterday' },
      'parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"',
    ],
  ])('%j cannot be read', async (query, message) => {
    await running();
    expect((await log('web', query)).body).toMatchObject({ code: 400, message });
  });
});

describe('a Pod without a node of ours', () => {
  it('has an empty log while it is not scheduled', async () => {
    await pod('web', ['main'], {});
    expect(await log('web')).toMatchObject({ status: 204, body: '' });
  });

  it('is said to have none where the Node does not exist', async () => {
    await pod('web', ['main'], { nodeName: 'nowhere' });
    expect((await log('web')).body).toMatchObject({ code: 404, message: 'pods "nowhere" not found' });
  });

  it('is said to be out of reach where nobody registered for its Node', async () => {
    await talk.post('/api/v1/nodes', { metadata: { name: 'far' } });
    await pod('web', ['main'], { nodeName: 'far' });
    const { body } = await log('web');
    expect(body).toMatchObject({ code: 501, message: expect.stringContaining('"far" is not run by this cluster') });
  });

  it('follows its node: one that takes itself back is gone, and another may come', async () => {
    const register = () => talk.server.nodes.register('far', agent);
    const unregister = register();
    expect(register).toThrow('"far" is registered already');
    unregister();
    expect(register).not.toThrow();
  });
});

it('only GET reads a log', async () => {
  await running();
  expect((await talk.post(`${PODS}/web/log`, {})).status).toBe(405);
});
