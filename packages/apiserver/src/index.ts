/**
 * `@capstan/apiserver` is the Kubernetes API in one Node process: store, versions, watch, server-side apply, CRDs. It runs no
 * controllers; `@capstan/cluster` does.
 */
export {
  hashToken,
  newServiceAccountKey,
  newToken,
  type TokenUser,
  tokenAuthenticator,
} from './authentication/index.ts';
export { type Listener, type ListenOptions, listen } from './http.ts';
export type { KindDefinition } from './kind.ts';
export type {
  AttachRequest,
  AttachSession,
  ContainerRequest,
  ExecRequest,
  ExecSession,
  LogEntry,
  LogRequest,
  NodeAgent,
  NodeAgents,
  PortForwardRequest,
  SessionStreams,
  StreamRequest,
  TerminalSize,
} from './pods/index.ts';
export type { User } from './request.ts';
export { ADMIN, type ApiServer, type ApiServerOptions, createApiServer } from './server.ts';
export {
  type BackupFacts,
  BackupUnusable,
  backUpStore,
  newestRevision,
  readBackup,
  restoreStore,
  revisionAfterRestore,
} from './store/backup.ts';
export { DATA_VERSION, DataVersionMismatch } from './store/data-version.ts';
export { type FileLock, lockFile } from './store/file-lock.ts';
export { DataUnusable } from './store/sqlite-store.ts';
export { CommitFailed, type Store } from './store/store.ts';
export {
  type AdmissionRequest,
  admissionWebhook,
  type Decision,
  type WebhookFunction,
  type WebhookOptions,
} from './webhooks/index.ts';
