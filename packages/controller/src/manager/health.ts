/** Whether this process is alive and whether it is ready, as Kubernetes asks for it. */
import type { Cluster } from './cluster.ts';

/** What is wrong, in a sentence; nothing when all is well. */
export type HealthCheck = () => string | undefined;

export interface HealthReport {
  readonly healthy: boolean;
  readonly text: string;
}

/** A watch that was not restored for this long will not be by waiting: better to be restarted. */
const STALE_AFTER = 300_000;

export class Health {
  readonly #live = new Map<string, HealthCheck>();
  readonly #ready = new Map<string, HealthCheck>();

  addLive(name: string, check: HealthCheck): void {
    this.#live.set(name, check);
  }

  addReady(name: string, check: HealthCheck): void {
    this.#ready.set(name, check);
  }

  /** Fails when a restart would help. */
  live(): HealthReport {
    return report(this.#live);
  }

  /** Fails while it does not do its work yet. */
  ready(): HealthReport {
    return report(this.#ready);
  }
}

function report(checks: ReadonlyMap<string, HealthCheck>): HealthReport {
  const results = Array.from(checks, ([name, check]) => ({ name, problem: problemOf(check) }));
  const lines = results.map(({ name, problem }) =>
    problem === undefined ? `[+] ${name} ok` : `[-] ${name}: ${problem}`,
  );
  const healthy = results.every(({ problem }) => problem === undefined);
  return { healthy, text: [...lines, healthy ? 'ok' : 'not ok', ''].join('\n') };
}

function problemOf(check: HealthCheck): string | undefined {
  try {
    return check();
  } catch (error) {
    return `the check itself failed: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Every cached kind has had its first list. */
export function cachesSynced({ name, cache }: Cluster): HealthCheck {
  return () => {
    const waiting = cache.kinds.filter(kind => !kind.synced).map(kind => `${kind.resource.plural} of ${name}`);
    return waiting.length === 0 ? undefined : `no first list yet: ${waiting.join(', ')}`;
  };
}

/** Every cached kind that had its list is still being watched. */
export function watchesAlive({ name, cache }: Cluster): HealthCheck {
  return () => {
    const stale = cache.kinds
      .filter(kind => kind.synced && kind.disconnectedFor >= STALE_AFTER)
      .map(kind => `${kind.resource.plural} of ${name} for ${Math.round(kind.disconnectedFor / 1000)} s`);
    return stale.length === 0 ? undefined : `not watched: ${stale.join(', ')}`;
  };
}
