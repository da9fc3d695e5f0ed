/**
 * What every transport keeps, whatever it runs on. A target is a transport to an API server that has the namespace
 * `default` and ConfigMaps; the suite makes and removes its own.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KubeObject } from './object.ts';
import type { ApiRequest, ApiResponse, Transport, WatchEvent, WatchStream } from './transport.ts';

export interface TransportTarget {
  readonly transport: Transport;
  /** Ends what the target started; the transport is closed by the suite. */
  stop(): Promise<void>;
}

const collection = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, data: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: { suite: 'contract' } },
  data,
});

export function transportContract(name: string, makeTarget: () => Promise<TransportTarget>): void {
  describe(`the contract of transports: ${name}`, () => {
    let target: TransportTarget;
    let transport: Transport;
    beforeAll(async () => {
      target = await makeTarget();
      transport = target.transport;
    });
    afterAll(async () => {
      await transport.close();
      await target.stop();
    });

    const ask = (method: ApiRequest['method'], path: string, more: Partial<ApiRequest> = {}): Promise<ApiResponse> =>
      transport.request({ method, path, ...more });
    const create = (object: object): Promise<ApiResponse> => ask('POST', collection, { body: object });
    const watch = (query: ApiRequest['query'], signal?: AbortSignal): Promise<WatchStream> =>
      transport.watch({ method: 'GET', path: collection, query: { watch: 'true', ...query }, signal });
    const rejection = (promise: Promise<unknown>): Promise<unknown> =>
      promise.then(
        () => undefined,
        error => error,
      );

    it('answers with status, lower-case headers and parsed JSON', async () => {
      const made = await create(configMap('contract-answer', { a: '1' }));
      expect(made.status).toBe(201);
      for (const name of Object.keys(made.headers)) expect(name).toBe(name.toLowerCase());
      const found = await ask('GET', `${collection}/contract-answer`);
      expect(found).toMatchObject({ status: 200, body: { kind: 'ConfigMap', data: { a: '1' } } });
    });

    it('gives text where the answer is not JSON', async () => {
      expect(await ask('GET', '/healthz')).toMatchObject({ status: 200, body: 'ok' });
    });

    it('gives a failure as an answer, never as an exception', async () => {
      expect(await ask('GET', `${collection}/contract-missing`)).toMatchObject({
        status: 404,
        body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404 },
      });
      await create(configMap('contract-twice'));
      expect(await create(configMap('contract-twice'))).toMatchObject({
        status: 409,
        body: { reason: 'AlreadyExists' },
      });
      expect((await ask('GET', '/apis/no.such.group/v1/things')).status).toBe(404);
    });

    it('takes the path as encoded', async () => {
      const answer = await ask('GET', `${collection}/${encodeURIComponent('a b ü')}`);
      expect(answer).toMatchObject({ status: 404, body: { details: { name: 'a b ü' } } });
    });

    it('neither changes nor keeps what is sent', async () => {
      const data: Record<string, string> = { a: '1' };
      const object = configMap('contract-kept', data);
      const before = JSON.stringify(object);
      await create(object);
      expect(JSON.stringify(object)).toBe(before);
      data['a'] = 'changed afterwards';
      expect(await ask('GET', `${collection}/contract-kept`)).toMatchObject({ body: { data: { a: '1' } } });
      const frozen = Object.freeze(configMap('contract-frozen', Object.freeze({ a: '1' })));
      expect((await create(frozen)).status).toBe(201);
    });

    it('passes query parameters on, and leaves out those that are undefined', async () => {
      const made = await ask('POST', collection, {
        body: configMap('contract-dry'),
        query: { dryRun: ['All'], fieldManager: 'contract', pretty: undefined },
      });
      expect(made.status).toBe(201);
      expect((await ask('GET', `${collection}/contract-dry`)).status).toBe(404);
      const selected = await ask('GET', collection, {
        query: { labelSelector: 'suite in (contract, other)', limit: '1' },
      });
      expect((selected.body as { items: unknown[] }).items).toHaveLength(1);
    });

    it('passes the content type on', async () => {
      await create(configMap('contract-patch', { a: '1', b: '2' }));
      const path = `${collection}/contract-patch`;
      const merged = await ask('PATCH', path, {
        contentType: 'application/merge-patch+json',
        body: { data: { a: null, c: '3' } },
      });
      expect(merged).toMatchObject({ status: 200 });
      expect((merged.body as { data: object }).data).toEqual({ b: '2', c: '3' });
      const patched = await ask('PATCH', path, {
        contentType: 'application/json-patch+json',
        body: [{ op: 'remove', path: '/data/b' }],
      });
      expect((patched.body as { data: object }).data).toEqual({ c: '3' });
      expect((await ask('PATCH', path, { contentType: 'application/unheard-of', body: {} })).status).toBe(415);
    });

    it('rejects with the reason of a signal that was aborted before, and does nothing', async () => {
      const reason = new Error('enough');
      const signal = AbortSignal.abort(reason);
      expect(await rejection(ask('POST', collection, { body: configMap('contract-aborted'), signal }))).toBe(reason);
      expect((await ask('GET', `${collection}/contract-aborted`)).status).toBe(404);
      expect(await rejection(watch({}, signal))).toBe(reason);
    });

    describe('watches', () => {
      const opened = (stream: WatchStream): Extract<WatchStream, { refused?: undefined }> => {
        if (stream.refused !== undefined) throw new Error(`refused: ${JSON.stringify(stream.refused.body)}`);
        return stream;
      };
      const selector = (group: string): ApiRequest['query'] => ({ labelSelector: `group=${group}` });
      const member = (group: string, id: string) => {
        const object = configMap(`contract-${group}-${id}`);
        return { ...object, metadata: { ...object.metadata, labels: { group } } };
      };
      const take = async (iterator: AsyncIterator<WatchEvent>, count: number): Promise<string[]> => {
        const seen: string[] = [];
        while (seen.length < count) {
          const { value, done } = await iterator.next();
          if (done) break;
          seen.push(`${value.type} ${(value.object as KubeObject).metadata.name?.split('-').at(-1)}`);
        }
        return seen;
      };

      it('begin with what there is and go on with what changes, in order', async () => {
        await create(member('order', 'a'));
        const iterator = opened(await watch(selector('order'))).events[Symbol.asyncIterator]();
        expect(await take(iterator, 1)).toEqual(['ADDED a']);
        await create(member('order', 'b'));
        const path = `${collection}/contract-order-a`;
        await ask('PATCH', path, { contentType: 'application/merge-patch+json', body: { data: { x: '1' } } });
        await ask('DELETE', path);
        expect(await take(iterator, 3)).toEqual(['ADDED b', 'MODIFIED a', 'DELETED a']);
        await iterator.return!();
      });

      it('begin after a version', async () => {
        await create(member('from', 'a'));
        const list = (await ask('GET', collection)).body as { metadata: { resourceVersion: string } };
        await create(member('from', 'b'));
        const query = { ...selector('from'), resourceVersion: list.metadata.resourceVersion };
        const iterator = opened(await watch(query)).events[Symbol.asyncIterator]();
        expect(await take(iterator, 1)).toEqual(['ADDED b']);
        await iterator.return!();
      });

      it('give a refusal as such', async () => {
        const { refused } = await watch({ labelSelector: '=' });
        expect(refused).toMatchObject({ status: 400, body: { kind: 'Status' } });
        const elsewhere = await transport.watch({ method: 'GET', path: '/api/v1/no-such', query: { watch: 'true' } });
        expect(elsewhere.refused?.status).toBe(404);
      });

      it('end in good order when the server ends them', async () => {
        const { events } = opened(await watch({ ...selector('nobody'), timeoutSeconds: '1' }));
        expect(await Array.fromAsync(events)).toEqual([]);
      });

      it('throw the reason of the signal to whoever waits', async () => {
        const controller = new AbortController();
        const { events } = opened(await watch(selector('nobody'), controller.signal));
        const waiting = rejection(events[Symbol.asyncIterator]().next());
        const reason = new Error('enough');
        controller.abort(reason);
        expect(await waiting).toBe(reason);
      });

      it('tell when something last came in', async () => {
        const stream = opened(await watch(selector('activity')));
        const before = stream.lastActivity();
        const iterator = stream.events[Symbol.asyncIterator]();
        await create(member('activity', 'a'));
        await take(iterator, 1);
        expect(stream.lastActivity()).toBeGreaterThanOrEqual(before);
        await iterator.return!();
      });

      it('lose nothing for a reader who comes late', async () => {
        const list = (await ask('GET', collection)).body as { metadata: { resourceVersion: string } };
        const from = { resourceVersion: list.metadata.resourceVersion };
        const stream = opened(await watch({ ...selector('late'), ...from }));
        const ids = Array.from({ length: 50 }, (_, index) => `n${index}`);
        for (const id of ids) await create(member('late', id));
        const iterator = stream.events[Symbol.asyncIterator]();
        expect(await take(iterator, 50)).toEqual(ids.map(id => `ADDED ${id}`));
        await iterator.return!();
      });
    });
  });
}
