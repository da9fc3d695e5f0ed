/** `/metrics`: what one server counts, in the names that Kubernetes users know, and its store in names of our own. */
import type { Clock } from '@capstan/kube';
import type { Answer } from '../answer.ts';
import type { Kinds } from '../kinds.ts';
import type { Store } from '../store/store.ts';
import { CONTENT_TYPE, Exposition } from './exposition.ts';
import { writeProcessMetrics } from './process-metrics.ts';
import { RequestMetrics } from './request-metrics.ts';
import { StoreMetrics } from './store-metrics.ts';

export type { Counted } from './request-metrics.ts';
export { StoreMetrics } from './store-metrics.ts';

export const METRICS_PATH = '/metrics';

export class ServerMetrics {
  readonly requests: RequestMetrics;
  readonly #clock: Clock;
  readonly #storage: StoreMetrics;

  constructor(clock: Clock, kinds: Kinds, storage: StoreMetrics = new StoreMetrics(clock, undefined)) {
    this.#clock = clock;
    this.#storage = storage;
    this.requests = new RequestMetrics(clock, kinds);
  }

  answer(store: Store): Answer {
    const exposition = new Exposition();
    this.requests.write(exposition);
    this.#storage.write(exposition, store);
    writeProcessMetrics(exposition, this.#clock);
    return { kind: 'text', status: 200, type: CONTENT_TYPE, text: exposition.text() };
  }
}
