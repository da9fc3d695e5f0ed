import {
  ApiError,
  type Clock,
  type KubeObject,
  type ObjectList,
  type Random,
  type Status,
  sleep,
  TransportError,
  type WatchEvent,
} from '@capstan/kube';
import type { ListCall, ListWatch, OpenWatch, WatchCall } from '../reflector/list-watch.ts';

/** How often, of all chances to do so, the server misbehaves in each way. */
export interface Hostility {
  /** Of connections: refused with 429 and Retry-After, 500, 503, 403; never answered. */
  readonly refuse: number;
  /** Of events: the connection breaks, ends, goes silent, gives garbage, gives 410, or becomes slow, after it. */
  readonly cut: number;
}

interface Entry {
  readonly version: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
}

/** An API server of one kind that keeps its promises about versions and order, and no other. */
export class HostileServer implements ListWatch {
  readonly objects = new Map<string, KubeObject>();
  /** What happened, oldest first; the beginning is forgotten (compacted). */
  readonly log: Entry[] = [];
  /** What each list that was handed out contained: version → names and versions. */
  readonly snapshots = new Map<string, ReadonlyMap<string, string>>();
  readonly faults: Record<string, number> = {};
  supportsStreams = true;
  down = false;
  version = 100;
  requests = 0;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #hostility: Hostility;
  readonly #keep: number;
  #waiting = new Set<() => void>();
  #pages = new Map<string, { readonly objects: readonly KubeObject[]; readonly version: string }>();

  constructor(clock: Clock, random: Random, hostility: Hostility, keep = 1_000) {
    this.#clock = clock;
    this.#random = random;
    this.#hostility = hostility;
    this.#keep = keep;
  }

  write(name: string, value: number): void {
    this.version++;
    const existing = this.objects.get(name);
    const object = objectOf(name, this.version, value, existing?.metadata.uid ?? `uid-${this.version}`);
    this.objects.set(name, object);
    this.#append({ version: this.version, type: existing === undefined ? 'ADDED' : 'MODIFIED', object });
  }

  delete(name: string): void {
    const existing = this.objects.get(name);
    if (existing === undefined) return;
    this.version++;
    this.objects.delete(name);
    const { spec } = existing as unknown as { spec: { value: number } };
    const object = objectOf(name, this.version, spec.value, existing.metadata.uid!);
    this.#append({ version: this.version, type: 'DELETED', object });
  }

  #append(entry: Entry): void {
    this.log.push(entry);
    if (this.log.length > 2 * this.#keep) this.log.splice(0, this.log.length - this.#keep);
    this.wake();
  }

  /** Lets streams that wait for news look again. */
  wake(): void {
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const go of waiting) go();
  }

  async list({ limit, continue: token, signal }: ListCall): Promise<ObjectList> {
    await this.#door(signal);
    if (token !== undefined) {
      const rest = this.#pages.get(token);
      this.#pages.delete(token);
      if (rest === undefined || this.#happens('expired page', this.#hostility.refuse)) throw gone();
      return this.#page(rest.objects, rest.version, limit);
    }
    const objects = [...this.objects.values()];
    this.#remember(objects);
    return this.#page(objects, String(this.version), limit);
  }

  #page(objects: readonly KubeObject[], version: string, limit = objects.length): ObjectList {
    const rest = objects.slice(limit);
    const token = `token-${this.requests}`;
    if (rest.length > 0) this.#pages.set(token, { objects: rest, version });
    const metadata = { resourceVersion: version, ...(rest.length > 0 && { continue: token }) };
    return { apiVersion: 'v1', kind: 'ThingList', metadata, items: objects.slice(0, limit) };
  }

  #remember(objects: readonly KubeObject[]): void {
    const content = objects.map(({ metadata }) => [metadata.name, metadata.resourceVersion!] as const);
    this.snapshots.set(String(this.version), new Map(content));
    for (const old of this.snapshots.keys()) if (this.snapshots.size > 8) this.snapshots.delete(old);
  }

  async watch(call: WatchCall): Promise<OpenWatch> {
    await this.#door(call.signal);
    if (call.sendInitialEvents && !this.supportsStreams) {
      throw failure(422, 'Invalid', 'sendInitialEvents is forbidden for watch');
    }
    const from = call.sendInitialEvents ? this.version : Number(call.resourceVersion);
    if (from < (this.log[0]?.version ?? this.version + 1) - 1 && from !== this.version) throw gone();
    const initial = call.sendInitialEvents ? [...this.objects.values()] : undefined;
    if (initial !== undefined) this.#remember(initial);
    const activity = { at: this.#clock.monotonic() };
    return { events: this.#stream(call, from, initial, activity), lastActivity: () => activity.at };
  }

  async *#stream(
    { signal, timeoutSeconds }: WatchCall,
    from: number,
    initial: readonly KubeObject[] | undefined,
    activity: { at: number },
  ): AsyncGenerator<WatchEvent> {
    const began = this.#clock.monotonic();
    let position = from;
    for (const object of initial ?? []) {
      await this.#mayCut(signal);
      activity.at = this.#clock.monotonic();
      yield { type: 'ADDED', object };
    }
    if (initial !== undefined) yield bookmark(from, true);
    while (this.#clock.monotonic() - began < timeoutSeconds * 1000) {
      const oldest = this.log[0]?.version ?? 0;
      if (position + 1 < oldest) yield { type: 'ERROR', object: gone().status };
      const entry = this.log[position + 1 - oldest];
      if (entry === undefined) {
        if (!(await this.#news(signal))) break;
        if (position === this.version) yield bookmark(position, false);
        activity.at = this.#clock.monotonic();
        continue;
      }
      position = entry.version;
      activity.at = this.#clock.monotonic();
      yield { type: entry.type, object: entry.object };
      if (this.#happens('repeated event', this.#hostility.cut / 4)) yield { type: entry.type, object: entry.object };
      const fault = await this.#mayCut(signal);
      if (fault === 'end') return;
      if (fault === 'gone') yield { type: 'ERROR', object: gone().status };
      if (fault === 'garbage') yield { type: 'MODIFIED', object: {} } as unknown as WatchEvent;
    }
  }

  /** Waits for a write, or for a minute (then a bookmark is due). */
  #news(signal: AbortSignal): Promise<boolean> {
    return new Promise(resolve => {
      const finish = (go: boolean) => () => {
        timer.cancel();
        this.#waiting.delete(news);
        signal.removeEventListener('abort', stop);
        resolve(go);
      };
      const news = finish(true);
      const stop = finish(false);
      const timer = this.#clock.after(60_000, news);
      this.#waiting.add(news);
      signal.addEventListener('abort', stop, { once: true });
    });
  }

  async #door(signal: AbortSignal): Promise<void> {
    this.requests++;
    if (this.down) throw new TransportError('ECONNREFUSED', 'connection refused', { neverSent: true });
    if (!this.#happens('refused', this.#hostility.refuse)) return;
    switch (Math.floor(this.#random.next() * 6)) {
      case 0:
        throw failure(429, 'TooManyRequests', 'slow down', 7);
      case 1:
        throw failure(500, 'InternalError', 'etcdserver: leader changed');
      case 2:
        throw failure(503, 'ServiceUnavailable', 'not now');
      case 3:
        throw failure(403, 'Forbidden', 'no rights yet');
      case 4:
        return forever(signal);
      default:
        await sleep(this.#clock, 20_000, signal);
    }
  }

  async #mayCut(signal: AbortSignal): Promise<'end' | 'gone' | 'garbage' | undefined> {
    if (this.down) throw new TransportError('ECONNRESET', 'connection reset');
    if (!this.#happens('cut', this.#hostility.cut)) return undefined;
    switch (Math.floor(this.#random.next() * 7)) {
      case 0:
        throw new TransportError('ECONNRESET', 'connection reset');
      case 1:
        throw new TransportError('EBADSTREAM', 'not JSON: {"type":"ADD');
      case 2:
        return 'end';
      case 3:
        return 'gone';
      case 4:
        return 'garbage';
      case 5:
        await sleep(this.#clock, 5_000, signal);
        return undefined;
      default:
        return forever(signal);
    }
  }

  #happens(what: string, chance: number): boolean {
    if (this.#random.next() >= chance) return false;
    this.faults[what] = (this.faults[what] ?? 0) + 1;
    return true;
  }
}

/** A half-open connection: nothing comes any more, not even an error. */
function forever(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function objectOf(name: string, version: number, value: number, uid: string): KubeObject {
  const metadata = { name, namespace: 'default', uid, resourceVersion: String(version) };
  return { apiVersion: 'v1', kind: 'Thing', metadata, spec: { value } } as KubeObject;
}

function bookmark(version: number, end: boolean): WatchEvent {
  const annotations = end ? { 'k8s.io/initial-events-end': 'true' } : {};
  const metadata = { name: '', resourceVersion: String(version), annotations };
  return { type: 'BOOKMARK', object: { apiVersion: 'v1', kind: 'Thing', metadata } };
}

export function failure(code: number, reason: string, message: string, retryAfterSeconds?: number): ApiError {
  const details = retryAfterSeconds === undefined ? {} : { details: { retryAfterSeconds } };
  const status: Status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    code,
    reason,
    message,
    ...details,
  };
  return new ApiError(status);
}

export function gone(): ApiError {
  return failure(410, 'Expired', 'too old resource version');
}
