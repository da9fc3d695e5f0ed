/** A program of the outside world that Capstan works with, and the Debian package that holds it. */
export interface Part {
  /** The program's name on PATH. */
  readonly name: string;
  readonly package: string;
  /** What works with it. */
  readonly for: string;
}

export const parts: readonly Part[] = [
  { name: 'kubectl', package: 'kubernetes-client', for: 'everything you type' },
  { name: 'caddy', package: 'caddy', for: 'routes' },
  { name: 'mosquitto', package: 'mosquitto', for: 'robots' },
  { name: 'redis-server', package: 'redis-server', for: 'middleware' },
];
