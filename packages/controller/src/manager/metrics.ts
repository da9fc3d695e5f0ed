import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** How a reconcile came out, as metrics and spans have it. */
export type Outcome = 'done' | 'requeued' | 'failed' | 'conflict' | 'error' | 'deadline' | 'stopped';

/** What a manager counts. Each manager has a registry of its own, so that several can live in one process. */
export interface Metrics {
  readonly registry: Registry;
  readonly reconciles: Counter<'controller' | 'result'>;
  readonly reconcileSeconds: Histogram<'controller'>;
  readonly queueSeconds: Histogram<'controller'>;
  readonly queueDepth: Gauge<'controller'>;
  readonly activeWorkers: Gauge<'controller'>;
  readonly watchFailures: Counter<'cluster' | 'kind'>;
  readonly leading: Gauge;
}

const SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60];

export function createMetrics(registry: Registry = new Registry()): Metrics {
  const registers = [registry];
  return {
    registry,
    reconciles: new Counter({
      name: 'capstan_reconciles_total',
      help: 'Reconciles by controller and result.',
      labelNames: ['controller', 'result'],
      registers,
    }),
    reconcileSeconds: new Histogram({
      name: 'capstan_reconcile_seconds',
      help: 'How long reconciles took.',
      labelNames: ['controller'],
      buckets: SECONDS,
      registers,
    }),
    queueSeconds: new Histogram({
      name: 'capstan_queue_wait_seconds',
      help: 'How long keys waited for a worker.',
      labelNames: ['controller'],
      buckets: SECONDS,
      registers,
    }),
    queueDepth: new Gauge({
      name: 'capstan_queue_depth',
      help: 'Keys that wait for a worker.',
      labelNames: ['controller'],
      registers,
    }),
    activeWorkers: new Gauge({
      name: 'capstan_workers_active',
      help: 'Workers that have a key.',
      labelNames: ['controller'],
      registers,
    }),
    watchFailures: new Counter({
      name: 'capstan_watch_failures_total',
      help: 'Lists and watches that failed and were tried again.',
      labelNames: ['cluster', 'kind'],
      registers,
    }),
    leading: new Gauge({ name: 'capstan_leading', help: '1 while this process leads.', registers }),
  };
}
