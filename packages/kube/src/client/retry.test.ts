import { describe, expect, it } from 'vitest';
import type { Clock, Random } from '../clock.ts';
import { TransportError } from '../errors.ts';
import { resource } from '../resource.ts';
import { createClient } from './client.ts';
import { failure, ok, scriptedTransport } from './scripted-transport.fixture.ts';

const nodes = resource({ group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false });
const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', resourceVersion: '1' } };
const reset = new TransportError('ECONNRESET', 'the connection was reset');
const refused = new TransportError('ECONNREFUSED', 'refused', { neverSent: true });
const busy = failure(429, 'TooManyRequests', { details: { retryAfterSeconds: 2 } });
const broken = failure(500, 'InternalError');
const away = failure(503, 'ServiceUnavailable', {}, { 'retry-after': '1' });

/** Waits take no time, and are remembered. */
function setUp(answers: Parameters<typeof scriptedTransport>[0], chance = 0.5) {
  const waits: number[] = [];
  const timer = { cancel: () => {}, unref: () => timer };
  const clock: Clock = {
    now: () => 0,
    monotonic: () => 0,
    after(milliseconds, callback) {
      waits.push(milliseconds);
      queueMicrotask(callback);
      return timer;
    },
  };
  const random: Random = { next: () => chance, bytes: count => new Uint8Array(count) };
  const transport = scriptedTransport(answers);
  return { waits, transport, client: createClient({ transport, clock, random }) };
}

describe('retries', () => {
  it('double the wait, with jitter between half and all of it', async () => {
    const least = setUp([broken, reset, broken, ok(node)], 0);
    await least.client.get(nodes, { name: 'n' });
    expect(least.waits).toEqual([50, 100, 200]);
    const most = setUp([broken, reset, broken, ok(node)], 1);
    await most.client.get(nodes, { name: 'n' });
    expect(most.waits).toEqual([100, 200, 400]);
  });

  it('end after four attempts with the last failure', async () => {
    const { client, transport } = setUp([broken, broken, broken, reset]);
    await expect(client.get(nodes, { name: 'n' })).rejects.toBe(reset);
    expect(transport.asked).toHaveLength(4);
  });

  it('wait as long as the server asks, in the Status or in the header', async () => {
    const { client, waits } = setUp([busy, away, ok(node)]);
    await client.create(nodes, node);
    expect(waits).toEqual([2050, 1100]);
  });

  it('leave a very long wait to the caller', async () => {
    const { client } = setUp([failure(429, 'TooManyRequests', { details: { retryAfterSeconds: 600 } })]);
    await expect(client.get(nodes, { name: 'n' })).rejects.toMatchObject({ code: 429, retryAfterSeconds: 600 });
  });

  it.each([
    ['a create', (c: Setup) => c.client.create(nodes, node)],
    ['a JSON patch', (c: Setup) => c.client.patch(nodes, { name: 'n' }, { json: [] })],
    ['a deletion by name', (c: Setup) => c.client.delete(nodes, { name: 'n' })],
    ['an action', (c: Setup) => c.client.subresource(nodes, 'x').create({ name: 'n' }, node)],
  ])('do not repeat %s that may have happened', async (_, act) => {
    for (const doubt of [reset, broken, failure(504, 'Timeout')]) {
      const setup = setUp([doubt, ok(node)]);
      await expect(act(setup)).rejects.toThrow();
      expect(setup.transport.asked).toHaveLength(1);
    }
    const never = setUp([refused, ok(node)]);
    await act(never);
    expect(never.transport.asked).toHaveLength(2);
  });

  it.each([
    ['an update', (c: Setup) => c.client.update(nodes, node)],
    ['an apply', (c: Setup) => c.client.apply(nodes, { metadata: { name: 'n' } }, { owner: 'o' })],
    ['a merge patch', (c: Setup) => c.client.patch(nodes, { name: 'n' }, { merge: {} })],
    ['a deletion of one uid', (c: Setup) => c.client.delete(nodes, { name: 'n' }, { preconditions: { uid: 'u' } })],
    ['a create that the caller vouches for', (c: Setup) => c.client.create(nodes, node, { retry: 'idempotent' })],
    ['the opening of a watch', (c: Setup) => c.client.watch(nodes).open()],
  ])('repeat %s', async (_, act) => {
    const setup = setUp([reset, broken, ok(node)]);
    await act(setup);
    expect(setup.transport.asked).toHaveLength(3);
  });

  it('can be switched off', async () => {
    const { client } = setUp([busy]);
    await expect(client.get(nodes, { name: 'n' }, { retry: 'never' })).rejects.toMatchObject({ code: 429 });
  });

  it.each([400, 401, 403, 404, 409, 410, 422, 501])('take %i as final', async code => {
    const { client, transport } = setUp([failure(code, 'X')]);
    await expect(client.get(nodes, { name: 'n' })).rejects.toMatchObject({ code });
    expect(transport.asked).toHaveLength(1);
  });

  it('stop when the signal is aborted', async () => {
    const { client } = setUp([busy]);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(client.get(nodes, { name: 'n' }, { signal })).rejects.toThrow('enough');
  });
});

type Setup = ReturnType<typeof setUp>;
