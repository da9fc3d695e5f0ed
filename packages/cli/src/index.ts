/** `@capstan/cli` is the program `capstan`; what other packages may want of it is how to run the embedded cluster. */
export { type ClusterOptions, type RunningCluster, startCluster } from './cluster/start-cluster.ts';
export { type Platform, startPlatform } from './up/start-platform.ts';
