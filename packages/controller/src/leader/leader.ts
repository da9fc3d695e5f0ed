/**
 * Leader election on a Lease, as client-go does it, so that candidates written in Go and ours can share one.
 *
 * A leader may act for `renewDeadline` after it *sent* the last renewal that succeeded. Others take over no sooner than `lease` after they
 * saw that renewal. The difference is what a write that is under way has to arrive.
 */
import {
  type Client,
  type Clock,
  isAlreadyExists,
  isConflict,
  isNotFound,
  type Lease,
  leases,
  type Random,
  sleep,
} from '@capstan/kube';
import { attempt } from '../attempt.ts';
import { type Duration, milliseconds } from '../duration.ts';
import { ControllerError } from '../errors.ts';
import type { Log } from '../log/log.ts';
import { bid, firstSpec, type LeaseSpec, type Observed, observe, releasedSpec } from './lease.ts';

export interface LeaderElectionOptions {
  /** Of the Lease. All candidates name the same. */
  readonly name: string;
  readonly namespace: string;
  /** Of this process; no two candidates may have the same. Default: made up at random. */
  readonly identity?: string;
  /** How long others wait for a leader that is silent. Default: 15 s. */
  readonly lease?: Duration;
  /** How long a leader acts without a successful renewal. Default: 10 s. */
  readonly renewDeadline?: Duration;
  /** How often to renew, and to look whether the Lease is free. Default: 2 s. */
  readonly retry?: Duration;
}

export interface ElectorParts {
  /** Not the guarded one of the manager: this is what decides whether that one may write. */
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

export class Elector {
  readonly identity: string;
  readonly #options: LeaderElectionOptions;
  readonly #parts: ElectorParts;
  readonly #lease: number;
  readonly #renewDeadline: number;
  readonly #retry: number;
  #observed: Observed | undefined;
  /** When the last successful renewal was sent, on both clocks; `undefined` while someone else leads. */
  #renewed: { readonly wall: number; readonly monotonic: number } | undefined;

  constructor(options: LeaderElectionOptions, parts: ElectorParts) {
    this.#options = options;
    this.#parts = parts;
    this.identity = options.identity ?? `capstan_${Buffer.from(parts.random.bytes(8)).toString('hex')}`;
    this.#lease = milliseconds(options.lease ?? '15s');
    this.#renewDeadline = milliseconds(options.renewDeadline ?? '10s');
    this.#retry = milliseconds(options.retry ?? '2s');
    if (!(this.#lease > this.#renewDeadline && this.#renewDeadline > this.#retry)) {
      throw new RangeError(
        'leader election: lease must be longer than renewDeadline, and renewDeadline longer than retry',
      );
    }
  }

  /**
   * Whether this process may act as the leader at this very moment. Both clocks are asked: the monotonic one stands still while a
   * machine sleeps, the other can be set back.
   */
  get leading(): boolean {
    if (this.#renewed === undefined) return false;
    const { clock } = this.#parts;
    const elapsed = Math.max(clock.now() - this.#renewed.wall, clock.monotonic() - this.#renewed.monotonic);
    return elapsed < this.#renewDeadline;
  }

  /** Resolves when this process leads, or with the signal. */
  async acquire(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (await this.#tryOnce(signal)) return;
      await this.#pause(signal);
    }
  }

  /** Renews until the leadership is lost (resolves `lost`) or the signal is aborted (resolves `stopped`). */
  async hold(signal: AbortSignal): Promise<'lost' | 'stopped'> {
    while (!signal.aborted) {
      await this.#pause(signal);
      if (signal.aborted) break;
      if (await this.#tryOnce(signal)) continue;
      const { clock } = this.#parts;
      const silent = this.#renewed === undefined || clock.monotonic() - this.#renewed.monotonic >= this.#renewDeadline;
      if (silent) {
        this.#renewed = undefined;
        return 'lost';
      }
    }
    return 'stopped';
  }

  /** Leaves the Lease to the next candidate. Only after all work has ended. */
  async release(): Promise<void> {
    const { client, clock, log } = this.#parts;
    const lease = this.#observed?.lease;
    if (this.#renewed === undefined || lease?.spec?.holderIdentity !== this.identity) return;
    this.#renewed = undefined;
    const current = attempt(clock, new AbortController().signal);
    current.deadline(
      this.#renewDeadline,
      () => new ControllerError('NotLeading', 'the Lease could not be released in time'),
    );
    try {
      const spec = releasedSpec(lease.spec, clock.now());
      await client.update(leases, { ...lease, spec }, { signal: current.signal, retry: 'never' });
    } catch (error) {
      log.warn({ error }, 'the Lease could not be released; the next leader has to wait until it runs out');
    } finally {
      current.end();
    }
  }

  #pause(signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#parts;
    return sleep(clock, this.#retry * (1 + 0.2 * random.next()), signal).catch(() => {});
  }

  async #tryOnce(signal: AbortSignal): Promise<boolean> {
    const { clock, log } = this.#parts;
    const sent = { wall: clock.now(), monotonic: clock.monotonic() };
    const current = attempt(clock, signal);
    current.deadline(
      this.#renewDeadline / 2,
      () => new ControllerError('NotLeading', 'the Lease did not answer in time'),
    );
    try {
      const leading = await this.#bid(current.signal);
      this.#renewed = leading ? sent : undefined;
      return leading;
    } catch (error) {
      if (!signal.aborted && !isConflict(error)) log.warn({ error }, 'the Lease could not be read or written');
      return false;
    } finally {
      current.end();
    }
  }

  async #bid(signal: AbortSignal): Promise<boolean> {
    const { client, clock } = this.#parts;
    const { namespace, name } = this.#options;
    const candidate = {
      identity: this.identity,
      leaseSeconds: this.#lease / 1000,
      now: clock.now(),
      monotonic: clock.monotonic(),
    };
    try {
      const lease = await client.get(leases, { namespace, name }, { signal, retry: 'never' });
      this.#observed = observe(lease, this.#observed, clock.monotonic());
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return this.#create({ metadata: { namespace, name }, spec: firstSpec(candidate) }, signal);
    }
    const decision = bid(this.#observed, candidate);
    if (decision.type === 'wait') return false;
    await this.#update(decision.spec, signal);
    return true;
  }

  async #create(
    lease: { metadata: { namespace: string; name: string }; spec: LeaseSpec },
    signal: AbortSignal,
  ): Promise<boolean> {
    const { client, clock } = this.#parts;
    try {
      const created = await client.create(leases, lease, { signal, retry: 'never' });
      this.#observed = observe(created, undefined, clock.monotonic());
      return true;
    } catch (error) {
      if (isAlreadyExists(error)) return false;
      throw error;
    }
  }

  async #update(spec: LeaseSpec, signal: AbortSignal): Promise<void> {
    const { client, clock } = this.#parts;
    const wanted: Lease = { ...this.#observed!.lease, spec };
    const updated = await client.update(leases, wanted, { signal, retry: 'never' });
    this.#observed = observe(updated, this.#observed, clock.monotonic());
  }
}
