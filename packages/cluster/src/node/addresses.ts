/** Gives each Pod an address that no other has, and keeps it for as long as the Pod is there. */

export interface AddressBlock {
  readonly first: readonly [number, number, number, number];
  readonly count: number;
}

/**
 * 127.64.0.0 to 127.127.255.255: all of them are this machine on Linux, so that many Pods listen on the same port without any set-up.
 */
export const loopbackBlock: AddressBlock = { first: [127, 64, 0, 0], count: 2 ** 22 };
/** For Pods that are not there: nobody listens on these. */
export const simulatedBlock: AddressBlock = { first: [10, 128, 0, 0], count: 2 ** 23 };

export class Addresses {
  readonly #first: number;
  readonly #count: number;
  readonly #owners = new Map<number, string>();
  readonly #offsets = new Map<string, number>();
  #next: number;

  /** `seed` decides where it begins: two Capstans on one machine begin at different places. */
  constructor({ first, count }: AddressBlock, seed = 0) {
    this.#first = toNumber(first);
    this.#count = count;
    this.#next = seed % count;
  }

  /** The address of this owner: the one it has, the one it had before if that is free, or a new one. */
  take(owner: string, before?: string): string {
    const held = this.#offsets.get(owner);
    if (held !== undefined) return this.#text(held);
    const wanted = before === undefined ? undefined : this.#offsetOf(before);
    if (wanted !== undefined && !this.#owners.has(wanted)) return this.#give(wanted, owner);
    for (let tries = 0; tries < this.#count; tries++) {
      const offset = this.#next;
      this.#next = (this.#next + 1) % this.#count;
      // The ends of each block of 256 look like networks and broadcasts; some programs refuse them.
      if (offset % 256 === 0 || offset % 256 === 255 || this.#owners.has(offset)) continue;
      return this.#give(offset, owner);
    }
    throw new Error(`all ${this.#count} addresses from ${this.#text(0)} on are taken`);
  }

  release(owner: string): void {
    const offset = this.#offsets.get(owner);
    if (offset === undefined) return;
    this.#offsets.delete(owner);
    this.#owners.delete(offset);
  }

  #give(offset: number, owner: string): string {
    this.#owners.set(offset, owner);
    this.#offsets.set(owner, offset);
    return this.#text(offset);
  }

  /** Undefined: not one of ours. */
  #offsetOf(address: string): number | undefined {
    const bytes = address.split('.').map(Number);
    if (bytes.length !== 4 || bytes.some(byte => !Number.isInteger(byte) || byte < 0 || byte > 255)) return undefined;
    const offset = toNumber(bytes) - this.#first;
    return offset >= 0 && offset < this.#count ? offset : undefined;
  }

  #text(offset: number): string {
    const address = this.#first + offset;
    return [24, 16, 8, 0].map(shift => Math.floor(address / 2 ** shift) % 256).join('.');
  }
}

const toNumber = (bytes: readonly number[]): number => bytes.reduce((number, byte) => number * 256 + byte, 0);
