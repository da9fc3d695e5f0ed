import type { Random } from '@capstan/kube';

/** The same numbers for the same seed (mulberry32: small, fast, even enough for names and jitter). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { next, bytes: count => Uint8Array.from({ length: count }, () => Math.floor(next() * 256)) };
}
