/**
 * One container of a Pod on this node: it is told to start and to stop, and tells when something about it has changed. It decides
 * nothing; see pod/decide.ts.
 */
import type { Clock, Container, Pod, Probe, ProbeAction, Timer } from '@capstan/kube';
import { resolveImage } from '../images/catalogue.ts';
import type { Surroundings } from './environment/downward.ts';
import { ConfigurationError } from './environment/environment.ts';
import { type Launch, type RunningProcess, StartError } from './host/container-runtime.ts';
import { makeLaunch } from './make-launch.ts';
import type { BlockedReason, ContainerFacts, ContainerState, Termination } from './pod/container-facts.ts';
import { pullRetryDelay, type RestartBackoff } from './pod/restart-backoff.ts';
import type { PodContext } from './pod-context.ts';
import type { PodEvents } from './pod-events.ts';
import { bindsEverything, takenPort } from './port-clash.ts';
import { type ProbeKind, type Watching, watchHealth } from './probes/health.ts';
import type { ProbeAnswer } from './probes/probing.ts';
import type { ActionTarget } from './probes/run-action.ts';

export interface ContainerOptions {
  readonly context: PodContext;
  readonly events: PodEvents;
  readonly facts: ContainerFacts;
  readonly pod: () => Pod;
  readonly surroundings: () => Surroundings;
  readonly volumePaths: () => ReadonlyMap<string, string>;
  /** Something is different: decide again. */
  readonly onChange: () => void;
}

/** What is wrong with the configuration may be mended by others at any time; their changes wake the Pod besides. */
const CONFIGURATION_RETRY = 10_000;
/** A hook without a limit of its own. */
const LONGEST_HOOK = 24 * 3_600_000;
const MOST_OUTPUT = 10_240;
/** Most programs listen by then. */
const LISTENS_AFTER = 5_000;

export class NodeContainer {
  readonly #options: ContainerOptions;
  #facts: ContainerFacts;
  #process: RunningProcess | undefined;
  #launch: Launch | undefined;
  #health: Watching | undefined;
  #stopping: { by: number; timer: Timer } | undefined;
  #pullFailures = 0;
  /** Ended for good, perhaps while it was being started. */
  #killed = false;
  #ended: Promise<void> = Promise.resolve();

  constructor(options: ContainerOptions) {
    this.#options = options;
    this.#facts = options.facts;
  }

  get facts(): ContainerFacts {
    return this.#facts;
  }

  get name(): string {
    return this.#spec.name;
  }

  get running(): { readonly process: RunningProcess; readonly launch: Launch } | undefined {
    return this.#process && this.#launch && { process: this.#process, launch: this.#launch };
  }

  /** Resolves when no process of it is left. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  start(backoff: RestartBackoff | undefined): void {
    const { state, last, restarts } = this.#facts;
    const previous = state.type === 'exited' ? terminationIn(state) : last;
    const ranBefore = state.type === 'exited' || (state.type === 'new' && last !== undefined);
    this.#set({
      state: { type: 'starting', ...(state.type === 'blocked' && { was: state }) },
      restarts: ranBefore ? restarts + 1 : restarts,
      ...(previous && { last: previous }),
      ...(backoff && { backoff }),
    });
    this.#ended = this.#run().catch(error => {
      this.#options.context.log.error({ error, container: this.name }, 'a container could not be started');
      this.#block('CreateContainerError', (error as Error).message, CONFIGURATION_RETRY);
    });
  }

  /** What it refers to may have changed: no need to wait for the next try. */
  retry(): void {
    const { state } = this.#facts;
    if (state.type !== 'blocked' || state.reason !== 'CreateContainerConfigError') return;
    this.#set({ state: { ...state, retryAt: this.#options.context.clock.now() } });
  }

  stop(by: number, message: string): void {
    const process = this.#process;
    if (process === undefined) return;
    const { clock } = this.#options.context;
    const kill = (): Timer => clock.after(Math.max(0, by - clock.now()), () => process.kill());
    if (this.#stopping !== undefined) {
      if (by >= this.#stopping.by) return;
      this.#stopping.timer.cancel();
      this.#stopping = { by, timer: kill() };
      return;
    }
    this.#options.events.normal('Killing', message, this.#spec);
    this.#health?.stopLiveness();
    this.#stopping = { by, timer: kill() };
    void this.#endGracefully(process, by);
  }

  /** At once, without a word: its Pod is gone, or the node ends. */
  kill(): void {
    this.#killed = true;
    this.#process?.kill();
  }

  /** SIGTERM and nothing else: the node ends. One that is just being started is not worth the wait. */
  terminate(): void {
    if (this.#process === undefined) this.#killed = true;
    this.#process?.terminate();
  }

  async #run(): Promise<void> {
    const { context, events, pod, surroundings, volumePaths } = this.#options;
    const spec = this.#spec;
    const image = resolveImage({ image: spec.image ?? '', ...pickProgram(spec) }, context.catalogue);
    if (image.type === 'invalid') return this.#block('InvalidImageName', image.message, CONFIGURATION_RETRY);
    if (image.type === 'unknown') return this.#pullFailed(image.message);
    events.normal('Pulled', `Container image ${JSON.stringify(spec.image)} already present on machine`, spec);
    const id = Buffer.from(context.random.bytes(32)).toString('hex');
    const log = context.logs(pod()).begin(spec.name, this.#facts.restarts);
    try {
      this.#launch = await makeLaunch(
        {
          id,
          pod: pod(),
          container: spec,
          surroundings: surroundings(),
          volumePaths: volumePaths(),
          program: image,
          onOutput: (stream, chunk) => log.write(stream, chunk),
        },
        context,
      );
      const { CAPSTAN_ROOT: links } = this.#launch.env;
      if (links !== undefined)
        events.warning(
          'MountsAreLinks',
          `this machine gives containers no file system of their own (neither overlay mounts nor user namespaces are allowed): the volumes of the container are below ${links}, which CAPSTAN_ROOT tells it`,
          spec,
        );
      events.normal('Created', `Created container: ${spec.name}`, spec);
      this.#process = await context.runtime.start(this.#launch);
    } catch (error) {
      log.end();
      return this.#notStarted(error, id);
    }
    if (this.#killed) this.#process.kill();
    events.normal('Started', `Started container ${spec.name}`, spec);
    const startedAt = context.clock.now();
    this.#set({ state: { type: 'running', containerID: idOf(id), startedAt, started: false, ready: false } });
    void this.#watch(startedAt);
    const look = context.clock.after(LISTENS_AFTER, () => void this.#lookForWildcards());
    const { exitCode } = await this.#process.exited;
    look.cancel();
    log.end();
    if (exitCode !== 0 && this.#stopping === undefined) await this.#lookForTakenPort();
    this.#exited(id, startedAt, exitCode);
  }

  async #lookForWildcards(): Promise<void> {
    const { context, events } = this.#options;
    if (this.#process === undefined) return;
    const message = bindsEverything(await context.runtime.wildcardPorts(this.#process));
    if (message !== undefined) events.warning('PortClash', message, this.#spec);
  }

  async #lookForTakenPort(): Promise<void> {
    const { context, events, surroundings } = this.#options;
    const message = takenPort(this.#spec, surroundings().podIP, await context.runtime.listeners());
    if (message !== undefined) events.warning('PortClash', message, this.#spec);
  }

  #exited(id: string, startedAt: number, exitCode: number): void {
    const { context, pod } = this.#options;
    this.#health?.stop();
    this.#stopping?.timer.cancel();
    this.#stopping = undefined;
    this.#process = undefined;
    this.#health = undefined;
    const fallsBack = this.#spec.terminationMessagePolicy === 'FallbackToLogsOnError' && exitCode !== 0;
    const message = fallsBack ? context.logs(pod()).lastWords(this.name, this.#facts.restarts) : '';
    this.#set({
      state: {
        type: 'exited',
        containerID: idOf(id),
        exitCode,
        reason: exitCode === 0 ? 'Completed' : 'Error',
        ...(message !== '' && { message }),
        startedAt,
        finishedAt: context.clock.now(),
      },
    });
  }

  /** After postStart, probes. A container whose hook fails is ended. */
  async #watch(startedAt: number): Promise<void> {
    const { context, events, pod } = this.#options;
    const process = this.#process;
    const hook = this.#spec.lifecycle?.postStart;
    if (hook !== undefined) {
      const answer = await this.#act(hook, LONGEST_HOOK);
      if (this.#process !== process) return;
      if (!answer.ok) {
        events.warning('FailedPostStartHook', `PostStartHook failed: ${answer.message}`, this.#spec);
        this.#doom('FailedPostStartHook', pod().spec.terminationGracePeriodSeconds ?? 30);
        return;
      }
    }
    if (this.#stopping !== undefined) return;
    this.#health = watchHealth({
      clock: context.clock,
      container: this.#spec,
      startedAt,
      ask: (_kind, probe) => this.#act(probe, (probe.timeoutSeconds ?? 1) * 1000),
      onStarted: () => this.#running({ started: true }),
      onReady: ready => this.#running({ ready }),
      onUnhealthy: (kind, message) =>
        events.warning('Unhealthy', `${capitalised(kind)} probe failed: ${message}`, this.#spec),
      onFailed: (kind, probe) => this.#failed(kind, probe),
    });
  }

  #failed(kind: ProbeKind, probe: Probe): void {
    const { pod } = this.#options;
    const grace = probe.terminationGracePeriodSeconds ?? pod().spec.terminationGracePeriodSeconds ?? 30;
    this.#doom(`Container ${this.name} failed ${kind} probe, will be restarted`, grace);
  }

  #doom(message: string, graceSeconds: number): void {
    this.#running({ doomed: { message, graceSeconds } });
  }

  async #endGracefully(process: RunningProcess, by: number): Promise<void> {
    const { context, events } = this.#options;
    const hook = this.#spec.lifecycle?.preStop;
    const left = by - context.clock.now();
    if (hook !== undefined && left > 0) {
      const answer = await this.#act(hook, left);
      if (!answer.ok) events.warning('FailedPreStopHook', `PreStopHook failed: ${answer.message}`, this.#spec);
    }
    if (this.#process === process) process.terminate();
  }

  #act(action: ProbeAction, timeout: number): Promise<ProbeAnswer> {
    const { context, surroundings } = this.#options;
    const target: ActionTarget = {
      clock: context.clock as Clock,
      container: this.#spec,
      podIP: surroundings().podIP,
      execute: (command, signal) => this.#execute(command, signal),
    };
    return context.runAction(action, target, timeout);
  }

  async #execute(command: readonly string[], signal: AbortSignal): Promise<{ exitCode: number; output: string }> {
    if (this.running === undefined) throw new Error('the container does not run');
    const execution = await this.#options.context.runtime.execute({
      ...this.running,
      command,
      stdin: false,
      tty: false,
    });
    let output = '';
    const collect = (chunk: Buffer): void => {
      if (output.length < MOST_OUTPUT) output += chunk.toString('utf8');
    };
    execution.stdout.on('data', collect);
    execution.stderr?.on('data', collect);
    const abort = (): void => execution.kill();
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    const exitCode = await execution.exit;
    signal.removeEventListener('abort', abort);
    return { exitCode, output };
  }

  #notStarted(error: unknown, id: string): void {
    const { context, events } = this.#options;
    const { message } = error as Error;
    if (error instanceof ConfigurationError) {
      events.warning('Failed', `Error: ${message}`, this.#spec);
      this.#block('CreateContainerConfigError', message, CONFIGURATION_RETRY);
      return;
    }
    if (!(error instanceof StartError)) throw error;
    events.warning('Failed', `Error: failed to start container ${JSON.stringify(this.name)}: ${message}`, this.#spec);
    this.#set({
      state: {
        type: 'exited',
        containerID: idOf(id),
        exitCode: 128,
        reason: 'StartError',
        message: `failed to start container: ${message}`,
        startedAt: 0,
        finishedAt: context.clock.now(),
      },
    });
  }

  #pullFailed(message: string): void {
    const { events } = this.#options;
    const image = JSON.stringify(this.#spec.image ?? '');
    this.#pullFailures++;
    events.normal('Pulling', `Pulling image ${image}`, this.#spec);
    events.warning('Failed', `Failed to pull image ${image}: ${message}`, this.#spec);
    events.warning('Failed', 'Error: ErrImagePull', this.#spec);
    this.#block('ErrImagePull', message, pullRetryDelay(this.#pullFailures));
  }

  #block(reason: BlockedReason, message: string, delay: number): void {
    const now = this.#options.context.clock.now();
    this.#set({ state: { type: 'blocked', reason, message, since: now, retryAt: now + delay } });
  }

  #running(change: Partial<Extract<ContainerState, { type: 'running' }>>): void {
    const { state } = this.#facts;
    if (state.type === 'running') this.#set({ state: { ...state, ...change } });
  }

  get #spec(): Container {
    return this.#facts.spec;
  }

  #set(change: Partial<ContainerFacts>): void {
    this.#facts = { ...this.#facts, ...change };
    this.#options.onChange();
  }
}

function pickProgram({ command, args }: Container): { command?: readonly string[]; args?: readonly string[] } {
  return { ...(command && { command }), ...(args && { args }) };
}

function terminationIn({ type: _type, ...termination }: Termination & { type: 'exited' }): Termination {
  return termination;
}

const idOf = (id: string): string => `capstan://${id}`;
const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
