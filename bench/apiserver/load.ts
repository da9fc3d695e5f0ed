/** The load: the same requests to whichever server, by one client that costs as little as it can. */
import type { Readable } from 'node:stream';
import { Pool } from 'undici';

export interface Target {
  readonly url: string;
  /** PEM. */
  readonly ca: string;
  readonly token: string;
}

const PATH = '/api/v1/namespaces/default/configmaps';
/** Enough that a server which can do several things at once does. */
const CONCURRENCY = 32;

export class Load {
  readonly #pool: Pool;
  readonly #headers: Record<string, string>;

  constructor({ url, ca, token }: Target) {
    this.#pool = new Pool(url, { connections: CONCURRENCY, pipelining: 1, connect: { ca } });
    this.#headers = { authorization: `Bearer ${token}`, accept: 'application/json', 'user-agent': 'bench/1' };
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }

  async send(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: string,
    type = 'application/json',
  ): Promise<number> {
    const answer = await this.#pool.request({
      method,
      path,
      headers: body === undefined ? this.#headers : { ...this.#headers, 'content-type': type },
      ...(body !== undefined && { body }),
    });
    let size = 0;
    for await (const chunk of answer.body) size += chunk.length;
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode}`);
    return size;
  }

  /** Requests a second, for `count` of them. */
  async rate(count: number, request: (n: number) => Promise<unknown>): Promise<number> {
    let next = 0;
    const begin = performance.now();
    const worker = async (): Promise<void> => {
      for (let n = next++; n < count; n = next++) await request(n);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    return (count / (performance.now() - begin)) * 1000;
  }

  /**
   * What is measured is how a server that runs does, so it runs first: a program that is compiled as it goes is given the same chance
   * as one that was compiled before.
   */
  async warmUp(count: number): Promise<void> {
    const name = (n: number): string => `${PATH}/warm-${n}`;
    await this.rate(count, n => this.send('POST', PATH, configMap(n, 'created', 'warm')));
    await this.rate(count, n => this.send('PUT', name(n), configMap(n, 'updated', 'warm')));
    await this.rate(count, n => this.send('DELETE', name(n)));
  }

  creates(count: number): Promise<number> {
    return this.rate(count, n => this.send('POST', PATH, configMap(n, 'created')));
  }

  updates(count: number): Promise<number> {
    return this.rate(count, n => this.send('PUT', `${PATH}/bench-${n}`, configMap(n, 'updated')));
  }

  applies(count: number): Promise<number> {
    const query = '?fieldManager=bench-apply&force=true';
    return this.rate(count, n =>
      this.send('PATCH', `${PATH}/bench-${n}${query}`, configMap(n, 'applied'), 'application/apply-patch+yaml'),
    );
  }

  /** Milliseconds for one list of everything, the best of a few. */
  async list(): Promise<number> {
    let best = Number.POSITIVE_INFINITY;
    for (let turn = 0; turn < 5; turn++) {
      const begin = performance.now();
      await this.send('GET', PATH);
      best = Math.min(best, performance.now() - begin);
    }
    return best;
  }

  /**
   * Events a second that arrive, over all watchers, while `events` objects are changed. A server may cut off a watcher that is too
   * slow for it (kube-apiserver does); what that one did not get does not count.
   */
  async fanOut(target: Target, watchers: number, events: number): Promise<number> {
    const { url, ca } = target;
    const pool = new Pool(url, { connections: watchers, pipelining: 1, connect: { ca }, bodyTimeout: 0 });
    const abort = new AbortController();
    const path = `${PATH}?watch=true&resourceVersion=${await this.#revision()}`;
    const watching = await Promise.all(
      Array.from({ length: watchers }, async () => {
        const { body } = await pool.request({ method: 'GET', path, headers: this.#headers, signal: abort.signal });
        return new Watcher(body, events);
      }),
    );
    const begin = performance.now();
    await this.rate(events, n => this.send('PUT', `${PATH}/bench-${n}`, configMap(n, `event-${begin}`)));
    await Promise.all(watching.map(watcher => watcher.finished));
    const seen = watching.reduce((sum, watcher) => sum + watcher.seen, 0);
    const rate = (seen / (performance.now() - begin)) * 1000;
    abort.abort();
    await pool.destroy();
    return rate;
  }

  async #revision(): Promise<string> {
    const answer = await this.#pool.request({ method: 'GET', path: `${PATH}?limit=1`, headers: this.#headers });
    const { metadata } = (await answer.body.json()) as { metadata: { resourceVersion: string } };
    return metadata.resourceVersion;
  }
}

/** Counts lines until it has all it waits for, or is cut off. */
class Watcher {
  seen = 0;
  readonly finished: Promise<void>;

  constructor(body: Readable, wanted: number) {
    this.finished = new Promise(resolve => {
      body.on('error', () => resolve());
      body.on('close', () => resolve());
      body.on('data', (chunk: Buffer) => {
        for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) this.seen++;
        if (this.seen >= wanted) resolve();
      });
    });
  }
}

function configMap(n: number, value: string, prefix = 'bench'): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `${prefix}-${n}`, namespace: 'default', labels: { app: 'bench', shard: String(n % 10) } },
    data: { value, text: 'x'.repeat(512) },
  });
}
