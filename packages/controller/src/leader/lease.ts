/** Who leads, as a Lease says it: decisions only, `leader.ts` acts on them. */
import { type Lease, microTimestamp } from '@capstan/kube';

export type LeaseSpec = NonNullable<Lease['spec']>;

/** A Lease, and since when we have seen it in this state on our own monotonic clock: clocks of others are not trusted. */
export interface Observed {
  readonly lease: Lease;
  readonly since: number;
}

/** Keeps `since` as long as the Lease is not renewed. */
export function observe(lease: Lease, before: Observed | undefined, now: number): Observed {
  const renewed = before?.lease.metadata.resourceVersion !== lease.metadata.resourceVersion;
  return { lease, since: renewed ? now : before!.since };
}

export type Bid =
  /** It is ours: renew it. */
  | { readonly type: 'renew'; readonly spec: LeaseSpec }
  /** It is free, or its holder has not renewed it for as long as it lasts. */
  | { readonly type: 'take'; readonly spec: LeaseSpec }
  /** Someone else has it. */
  | { readonly type: 'wait'; readonly holder: string };

export interface Candidate {
  readonly identity: string;
  readonly leaseSeconds: number;
  /** Milliseconds since the epoch, for the Lease's own fields. */
  readonly now: number;
  readonly monotonic: number;
}

export function bid({ lease: { spec = {} }, since }: Observed, candidate: Candidate): Bid {
  const { identity, leaseSeconds, now, monotonic } = candidate;
  const time = microTimestamp(now);
  const mine = { holderIdentity: identity, leaseDurationSeconds: leaseSeconds, renewTime: time };
  if (spec.holderIdentity === identity) return { type: 'renew', spec: { ...spec, ...mine } };
  const lasts = (spec.leaseDurationSeconds ?? leaseSeconds) * 1000;
  if (spec.holderIdentity && monotonic - since < lasts) return { type: 'wait', holder: spec.holderIdentity };
  const leaseTransitions = (spec.leaseTransitions ?? 0) + (spec.holderIdentity === undefined ? 0 : 1);
  return { type: 'take', spec: { ...mine, acquireTime: time, leaseTransitions } };
}

export function firstSpec({ identity, leaseSeconds, now }: Candidate): LeaseSpec {
  const time = microTimestamp(now);
  return {
    holderIdentity: identity,
    leaseDurationSeconds: leaseSeconds,
    acquireTime: time,
    renewTime: time,
    leaseTransitions: 0,
  };
}

/** The Lease as whoever stops leaves it: free at once for the next. */
export function releasedSpec(spec: LeaseSpec, now: number): LeaseSpec {
  return { ...spec, holderIdentity: '', leaseDurationSeconds: 1, renewTime: microTimestamp(now) };
}
