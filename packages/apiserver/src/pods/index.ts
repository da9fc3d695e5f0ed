/** What a Pod does while it runs, as clients reach it: logs, exec, attach, port-forward. */
export { readLog } from './log.ts';
export type {
  AttachRequest,
  AttachSession,
  ContainerRequest,
  ExecRequest,
  ExecSession,
  LogEntry,
  LogRequest,
  NodeAgent,
  PortForwardRequest,
  SessionStreams,
  StreamRequest,
  TerminalSize,
} from './node-agent.ts';
export { NodeAgents } from './node-agents.ts';
export { POD_STREAMS, type PodStream, podStream, refuseWithoutUpgrade } from './pod-stream.ts';
export { podUpgrades, type Upgrades } from './upgrade.ts';
