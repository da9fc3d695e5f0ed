/**
 * The health of one running container: its startup probe first, then readiness and liveness. Told in three words: it has started, it is
 * ready or not, it has to be ended.
 */
import type { Clock, Container, Probe } from '@capstan/kube';
import { type ProbeAnswer, startProbing } from './probing.ts';

export type ProbeKind = 'startup' | 'readiness' | 'liveness';

export interface HealthOptions {
  readonly clock: Clock;
  readonly container: Container;
  readonly startedAt: number;
  readonly ask: (kind: ProbeKind, probe: Probe) => Promise<ProbeAnswer>;
  onStarted(): void;
  onReady(ready: boolean): void;
  /** A single failure, for the Unhealthy Event. */
  onUnhealthy(kind: ProbeKind, message: string): void;
  /** Failed for good: the container is ended. */
  onFailed(kind: 'startup' | 'liveness', probe: Probe): void;
}

export interface Watching {
  stop(): void;
  /** The container is being ended: only whether it is ready is still of interest. */
  stopLiveness(): void;
}

export function watchHealth(options: HealthOptions): Watching {
  const { clock, container, startedAt } = options;
  const { startupProbe, readinessProbe, livenessProbe } = container;
  const stops = new Map<ProbeKind, () => void>();
  const begin = (kind: ProbeKind, probe: Probe, onVerdict: (verdict: 'success' | 'failure') => void): void => {
    const ask = (): Promise<ProbeAnswer> => options.ask(kind, probe);
    const stop = startProbing({
      clock,
      probe,
      startedAt,
      ask,
      onAnswer: (answer, { verdict }) => {
        if (!answer.ok) options.onUnhealthy(kind, answer.message);
        if (verdict !== 'unknown') onVerdict(verdict);
      },
    });
    stops.set(kind, stop);
  };
  const end = (kind: ProbeKind): void => {
    stops.get(kind)?.();
    stops.delete(kind);
  };
  const started = (): void => {
    options.onStarted();
    if (readinessProbe === undefined) options.onReady(true);
    else begin('readiness', readinessProbe, verdict => options.onReady(verdict === 'success'));
    if (livenessProbe === undefined) return;
    begin('liveness', livenessProbe, verdict => {
      if (verdict === 'success') return;
      end('liveness');
      options.onFailed('liveness', livenessProbe);
    });
  };
  if (startupProbe === undefined) started();
  else {
    begin('startup', startupProbe, verdict => {
      end('startup');
      if (verdict === 'success') started();
      else options.onFailed('startup', startupProbe);
    });
  }
  return {
    stop: () => {
      for (const kind of [...stops.keys()]) end(kind);
    },
    stopLiveness: () => {
      end('startup');
      end('liveness');
    },
  };
}
