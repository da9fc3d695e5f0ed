/** What a Pod does while it runs, as clients reach it: logs, exec, attach, port-forward. */
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
