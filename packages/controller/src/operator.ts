/** The shape that all systems have, so that `capstan` can compose them: see the architecture page. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PolicyRule } from '@capstan/kube';
import type { z } from 'zod';
import type { CustomResource } from './crd/custom-resource.ts';
import type { Log } from './log/log.ts';
import type { Manager } from './manager/manager.ts';

/** A section of the configuration file: types, defaults, validation and documentation in one. */
export type Schema<C> = z.ZodType<C>;

export interface Operator<C = unknown> {
  readonly name: 'routes' | 'addons' | 'testplane' | 'robots' | 'middleware';
  /** Its section of capstan.yaml. */
  readonly config: Schema<C>;
  /** What it adds to the API. */
  readonly crds: readonly CustomResource[];
  /** The rights it needs, no more. What is installed in a cluster is generated from it. */
  readonly rules: readonly PolicyRule[];
  /** Adds its controllers and tasks. It may read, not write: there is no leader yet. */
  setup(manager: Manager, config: C): void | Promise<void>;
  /** What it serves under the shared listener. */
  readonly http?: HttpRoutes;
  /** Its verbs: `capstan routes plan`. */
  readonly commands?: readonly Command[];
}

/** A part of the shared listener. */
export interface HttpRoutes {
  /** Begins with a slash: `/api/v1/clusters`. Requests under it are this system's. */
  readonly prefix: string;
  handle(request: IncomingMessage, response: ServerResponse): void | Promise<void>;
}

/** A verb of a system on the command line. */
export interface Command {
  readonly name: string;
  /** One line, for `--help`. */
  readonly summary: string;
  /** Positional arguments in commander's words: `<name>`, `[namespace]`. */
  readonly arguments?: readonly { readonly name: string; readonly summary: string }[];
  /** Options in commander's words: `-n, --namespace <name>`. */
  readonly options?: readonly {
    readonly flags: string;
    readonly summary: string;
    readonly default?: string | boolean;
  }[];
  /** Gives the exit code. */
  run(context: CommandContext): Promise<number>;
}

export interface CommandContext {
  /** Not started: its client reads and writes as the caller. */
  readonly manager: Manager;
  readonly arguments: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  readonly log: Log;
  print(line: string): void;
  readonly signal: AbortSignal;
}
