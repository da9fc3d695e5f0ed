/** The API server with everything that makes it a cluster. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  forgetNode,
  type ProcessNodeOptions,
  type RunningControllers,
  type RunningNode,
  startControllers,
  startProcessNode,
  startSimulatedNode,
} from '@capstan/cluster';
import type { Log } from '@capstan/controller';
import { unusable } from '../cluster/data-folder.ts';
import { type ClusterOptions, type RunningCluster, startCluster } from '../cluster/start-cluster.ts';
import { openLogFile } from './log-file.ts';
import type { Part } from './parts.ts';

export interface Platform {
  readonly cluster: RunningCluster;
  readonly controllers: RunningControllers | undefined;
  readonly node: PlatformNode | undefined;
  readonly logFile: string;
  stop(): Promise<void>;
}

export interface PlatformNode extends RunningNode {
  /** `simulated`: this system has one loopback address only, so Pods cannot have their own. */
  readonly kind: 'process' | 'simulated';
}

/** What fails half-way leaves nothing running. */
export async function startPlatform(options: ClusterOptions, parts: ReadonlySet<Part>): Promise<Platform> {
  const cluster = await startCluster({ ...options, serviceAccounts: parts.has('controllers') });
  // Objects in memory have nothing to do with those on disk, nor have their Pods and volumes.
  const home = options.memory ? join(cluster.dataFolder, 'memory') : cluster.dataFolder;
  const nodeFolder = join(home, 'node');
  const volumesFolder = join(home, 'volumes');
  const logFile = openLogFile(cluster.dataFolder);
  let [controllers, node]: [RunningControllers?, PlatformNode?] = [];
  const stop = async (): Promise<void> => {
    await node?.stop();
    await controllers?.stop();
    await cluster.stop();
    await logFile.close();
  };
  try {
    // Pods and volumes of objects that were forgotten, or that a former run had in memory only, go as well.
    if (options.fresh || options.memory) {
      await forgetNode(nodeFolder);
      rmSync(volumesFolder, { recursive: true, force: true });
    }
    if (parts.has('controllers')) controllers = await startBuiltins(cluster, volumesFolder, logFile.log);
    if (parts.has('node')) node = await startNode(cluster, { folder: nodeFolder, volumesFolder }, logFile.log);
    return { cluster, controllers, node, logFile: logFile.path, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function startBuiltins(
  { server, rootCertificate }: RunningCluster,
  volumesFolder: string,
  log: Log,
): Promise<RunningControllers> {
  return startControllers({ transport: server.transport(), log, rootCertificate, volumesFolder });
}

type NodeFolders = Pick<ProcessNodeOptions, 'folder' | 'volumesFolder'>;

async function startNode({ server, url }: RunningCluster, folders: NodeFolders, log: Log): Promise<PlatformNode> {
  const transport = server.transport();
  if (process.platform !== 'linux') return { ...(await startSimulatedNode({ transport, log })), kind: 'simulated' };
  const { hostname: host, port } = new URL(url);
  const address = { host, port: Number(port) };
  const options = { transport, ...folders, log, server: address, agents: server.nodes };
  const node = await startProcessNode(options).catch(error => {
    throw isFileError(error) ? unusable(folders.folder, error) : error;
  });
  return { ...node, kind: 'process' };
}

const isFileError = (error: unknown): boolean => error instanceof Error && 'syscall' in error && 'path' in error;
