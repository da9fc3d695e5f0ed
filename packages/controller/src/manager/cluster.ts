import { type Client, type Clock, createClient, type Random, type Transport } from '@capstan/kube';
import { Cache } from '../cache/cache.ts';
import { currentReconcile } from '../controller/current-reconcile.ts';
import type { Log } from '../log/log.ts';
import type { ReflectorState } from '../reflector/reflector.ts';
import { guardedTransport } from './guarded-transport.ts';
import type { Metrics } from './metrics.ts';

/** A cluster that a manager works on: its client and its caches. */
export interface Cluster {
  readonly name: string;
  /** Its writes are refused unless this process leads, and seen by reads of the cache. */
  readonly client: Client;
  readonly cache: Cache;
}

export interface ClusterOptions {
  /** Shown in keys and logs; no slashes. */
  readonly name: string;
  readonly transport: Transport;
}

export interface ClusterContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly userAgent: string;
  readonly mayWrite: () => void;
}

/** Texts may differ by the names in them; this many are remembered, and told. */
const MOST_WARNINGS = 1_000;

export function createCluster({ name, transport }: ClusterOptions, context: ClusterContext): Cluster {
  const { clock, random, log, metrics, userAgent, mayWrite } = context;
  const onState = (state: ReflectorState, kind: string): void => {
    if (state.name !== 'backing off') return;
    metrics.watchFailures.inc({ cluster: name, kind });
    const fields = { cluster: name, kind, error: state.because, milliseconds: Math.round(state.milliseconds) };
    log.warn(fields, `watching ${kind} failed; trying again`);
  };
  const currentSignal = (): AbortSignal | undefined => currentReconcile()?.signal;
  const cache = new Cache({ transport, clock, random, onState, currentSignal });
  const guarded = guardedTransport(transport, { mayWrite, beginWrite: write => cache.beginWrite(write) });
  // A controller that has to use something deprecated does so all day: once is enough to know.
  const warned = new Set<string>();
  const onWarning = (text: string, request: string): void => {
    if (warned.has(text) || warned.size >= MOST_WARNINGS) return;
    warned.add(text);
    log.warn({ cluster: name, request }, text);
  };
  return { name, cache, client: createClient({ transport: guarded, clock, random, userAgent, onWarning }) };
}
