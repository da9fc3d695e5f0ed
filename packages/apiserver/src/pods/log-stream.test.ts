/** Logs as they leave over HTTPS. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { eventually } from './eventually.fixture.ts';
import type { LogEntry } from './node-agent.ts';
import { PODS, type PodServer, startPodServer } from './pod-server.fixture.ts';

let pods: PodServer;
beforeEach(async () => {
  pods = await startPodServer();
  await pods.run('web');
});
afterEach(() => pods.close());

async function get(query: string, headers: Readonly<Record<string, string>> = {}): Promise<IncomingMessage> {
  const { authority: ca, tokens, listener } = pods;
  const all = { authorization: `Bearer ${tokens.admin}`, ...headers };
  const outgoing = request(`${listener.url}${PODS}/web/log?${query}`, { ca, headers: all, agent: false });
  outgoing.on('error', () => {});
  const [answer] = (await once(outgoing.end(), 'response')) as [IncomingMessage];
  return answer.on('error', () => {});
}

async function text(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

it.each([undefined, '*/*', 'text/plain', 'text/*;q=0.5', 'application/json, */*'])(
  'are plain text to who accepts %s',
  async accept => {
    pods.agent.log.write('hello\n');
    const answer = await get('', accept === undefined ? {} : { accept });
    expect([answer.statusCode, answer.headers['content-type'], await text(answer)]).toEqual([
      200,
      'text/plain',
      'hello\n',
    ]);
  },
);

it('are not acceptable as a picture', async () => {
  expect((await get('', { accept: 'image/png' })).statusCode).toBe(406);
});

it('answer at once when they are followed, and then line by line', async () => {
  const answer = await get('follow=true');
  expect(answer.statusCode).toBe(200);
  let heard = '';
  answer.on('data', part => {
    heard += part;
  });
  pods.agent.log.write('one\n');
  await eventually(() => expect(heard).toBe('one\n'));
  pods.agent.log.write('two\n');
  await eventually(() => expect(heard).toBe('one\ntwo\n'));
  pods.agent.log.end();
  await once(answer, 'end');
});

it('are no longer read for a client that has left', async () => {
  const answer = await get('follow=true');
  await eventually(() => expect(pods.agent.log.readers).toBe(1));
  answer.destroy();
  await eventually(() => expect(pods.agent.log.readers).toBe(0));
});

it('come whole, however many lines', async () => {
  const lines = Array.from({ length: 50_000 }, (_, index) => `line ${index} of a log\n`);
  for (const line of lines) pods.agent.log.write(line);
  expect(await text(await get(''))).toBe(lines.join(''));
});

it('break off where the node fails, and do not look whole', async () => {
  pods.agent.logs = async () =>
    (async function* (): AsyncGenerator<LogEntry> {
      yield { time: 0, stream: 'stdout', content: Buffer.from('half\n') };
      throw new Error('disk gone');
    })();
  await expect(text(await get(''))).rejects.toThrow('aborted');
});

it('are read no faster than the client reads them', async () => {
  const content = Buffer.alloc(16 * 1024, 'x');
  let produced = 0;
  pods.agent.logs = async () =>
    (async function* (): AsyncGenerator<LogEntry> {
      for (;;) {
        produced += content.length;
        yield { time: 0, stream: 'stdout', content };
        await new Promise(resolve => setImmediate(resolve));
      }
    })();
  const answer = await get('');
  answer.pause();
  let before = Number.NaN;
  await vi.waitFor(
    () => {
      const last = before;
      before = produced;
      expect(produced).toBe(last);
    },
    { interval: 200, timeout: 20_000 },
  );
  expect(produced).toBeGreaterThan(0);
  expect(produced).toBeLessThan(32 * 1024 * 1024);
  answer.destroy();
});
