/**
 * What a node does for the API server: the part of a kubelet that logs, exec, attach and port-forward reach. The server decides who
 * may, which container is meant and what the protocol is; the node has the containers.
 *
 * Streams are Node's own, so that a local process fits as it is (`child.stdin`, `child.stdout`) and so that back-pressure goes all the
 * way: the server stops reading when its client does, and a node must not read on by itself into memory.
 *
 * A method that cannot do what is asked rejects; the message of the error is shown to the user, so it says what is wrong with the
 * container and nothing about the inside of the node.
 */
import type { Duplex, Readable, Writable } from 'node:stream';
import type { Pod } from '@capstan/kube';

export interface NodeAgent {
  /**
   * What a container has written, oldest first. Resolves when the log is open, rejects where there is none. The iteration ends with
   * the log, or, with `follow`, when the container has ended and everything is said; leaving it or aborting the signal ends it
   * early. The node chooses where to begin (`tailLines`); all else that a user may ask for (since, timestamps, limits) is done by the
   * server.
   */
  logs(request: LogRequest): Promise<AsyncIterable<LogEntry>>;
  /** Runs a command in a running container. Resolves once it is started. */
  exec(request: ExecRequest): Promise<ExecSession>;
  /**
   * Joins the streams of the container's own process. They are ended and destroyed with the client like those of exec, so they must be
   * the client's and not the process's: a container outlives whoever looks at it, and its input stays open unless it has `stdinOnce`.
   */
  attach(request: AttachRequest): Promise<AttachSession>;
  /** One connection to a port of the Pod; resolves when it is open. */
  portForward(request: PortForwardRequest): Promise<Duplex>;
}

/** One container of a Pod on this node, and how long anyone is interested. */
export interface ContainerRequest {
  /** As it is stored now; frozen. Its uid tells it from an earlier Pod of the same name. */
  readonly pod: Pod;
  /** The name of an init, ordinary or ephemeral container that the Pod has. */
  readonly container: string;
  /** Aborted when the client is gone or the server closes: the node lets go of everything that this request began. */
  readonly signal: AbortSignal;
}

export interface LogRequest extends ContainerRequest {
  /** Go on with what is written from now on. */
  readonly follow: boolean;
  /** Of the container before its last restart. */
  readonly previous: boolean;
  /** Of what is there already, no more than so many lines, the newest; 0: none of it. Absent: all. */
  readonly tailLines?: number;
}

/** A line, or a piece of a long one. */
export interface LogEntry {
  /** Milliseconds since the epoch, as `Clock.now()` tells them. */
  readonly time: number;
  readonly stream: 'stdout' | 'stderr';
  /** With its `\n`; without one where the line goes on in the next entry, or the container ended within it. */
  readonly content: Uint8Array;
}

export interface StreamRequest extends ContainerRequest {
  /** Which streams the client has; a session has those and no others. */
  readonly stdin: boolean;
  readonly stdout: boolean;
  /** Never together with `tty`: a terminal has one output. */
  readonly stderr: boolean;
  readonly tty: boolean;
}

export interface ExecRequest extends StreamRequest {
  /** Never empty. No shell: the first is the program. */
  readonly command: readonly string[];
}

export type AttachRequest = StreamRequest;

/** The streams that were asked for. The server ends `stdin` when the client does, and destroys all of them when the client is gone. */
export interface SessionStreams {
  readonly stdin?: Writable;
  readonly stdout?: Readable;
  readonly stderr?: Readable;
  /** The client's terminal has this size now; only called with `tty`. */
  resize(size: TerminalSize): void;
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

export interface ExecSession extends SessionStreams {
  /**
   * The exit code of the command; 128 + n where signal n ended it. The client is told when this is known and both outputs have
   * ended: the node ends them even where a left-over child holds them open.
   */
  readonly exit: Promise<number>;
}

export interface AttachSession extends SessionStreams {
  /** Settles when there is nothing left to be attached to. */
  readonly ended: Promise<void>;
}

export interface PortForwardRequest {
  readonly pod: Pod;
  /** 1 to 65535. */
  readonly port: number;
  readonly signal: AbortSignal;
}
