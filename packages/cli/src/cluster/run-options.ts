/** What `cluster` and `up` take on the command line, and what it means to `startCluster`. */
import type { ClusterOptions } from './start-cluster.ts';

export interface RunOptions {
  readonly port?: string;
  readonly data: string;
  readonly memory?: boolean;
  readonly fresh?: boolean;
  readonly hostName?: readonly string[];
}

export function clusterOptions(options: RunOptions): ClusterOptions {
  return {
    data: options.data,
    port: options.port === undefined ? undefined : portNumber(options.port),
    memory: options.memory,
    fresh: options.fresh,
    hostNames: options.hostName,
    onError: error =>
      console.error(`capstan: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
  };
}

export function portNumber(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`--port ${text} is not a port: give a number from 1 to 65535.`);
  }
  return port;
}
