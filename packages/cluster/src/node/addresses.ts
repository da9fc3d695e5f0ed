/**
 * The addresses of Pods: 127.64.0.0 to 127.127.255.255, all of which are this machine on Linux, so that many Pods listen on the same port
 * without any set-up. Two Capstans on one machine begin at different places.
 */
const FIRST = ip(127, 64, 0, 0);
const COUNT = 2 ** 22;

export class Addresses {
  readonly #taken = new Map<string, string>();
  #next: number;

  /** `seed` decides where it begins. */
  constructor(seed: number) {
    this.#next = seed % COUNT;
  }

  /** The address of this owner: the one it has, the one it had before if that is free, or a new one. */
  take(owner: string, before?: string): string {
    for (const [address, holder] of this.#taken) if (holder === owner) return address;
    if (before !== undefined && isPodAddress(before) && !this.#taken.has(before)) return this.#give(before, owner);
    for (let tries = 0; tries < COUNT; tries++) {
      const offset = this.#next;
      this.#next = (this.#next + 1) % COUNT;
      const address = text(FIRST + offset);
      // The ends of each block of 256 look like networks and broadcasts; some programs refuse them.
      if (offset % 256 === 0 || offset % 256 === 255 || this.#taken.has(address)) continue;
      return this.#give(address, owner);
    }
    throw new Error('every address from 127.64.0.0/10 is taken');
  }

  release(owner: string): void {
    for (const [address, holder] of this.#taken) if (holder === owner) this.#taken.delete(address);
  }

  #give(address: string, owner: string): string {
    this.#taken.set(address, owner);
    return address;
  }
}

export function isPodAddress(address: string): boolean {
  const match = /^127\.(\d+)\.\d+\.\d+$/.exec(address);
  return match !== null && Number(match[1]) >= 64 && Number(match[1]) <= 127;
}

function ip(...bytes: readonly number[]): number {
  return bytes.reduce((number, byte) => number * 256 + byte, 0);
}

function text(address: number): string {
  return [24, 16, 8, 0].map(shift => Math.floor(address / 2 ** shift) % 256).join('.');
}
