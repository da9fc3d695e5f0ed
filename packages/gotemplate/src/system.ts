/**
 * What templates may ask of the world: the time, randomness, time zones, the environment, DNS. All of it comes through this one
 * interface, so that a host can step the clock, seed randomness or refuse. This is the only file of the package that touches them.
 */

import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseZone, UTC, type Zone } from './time/zone.ts';

export type KeyKind = 'rsa-2048' | 'rsa-4096' | 'dsa' | 'ec-p256' | 'ed25519';

export interface System {
  /** Nanoseconds since the epoch. */
  now(): bigint;
  /** Unpredictable bytes: keys, certificates, passwords and identifiers are made of them. */
  random(length: number): Uint8Array;
  /** A new private key. Not made from {@link System.random}: the platform's generator is faster and safer than one of ours. */
  generateKey(kind: KeyKind): KeyObject;
  /** A time zone by its IANA name; `Local` is the machine's own. Nothing where it is unknown. */
  zone(name: string): Zone | undefined;
  /** An environment variable, or the empty string. Return the empty string for all to shut templates out. */
  environment(name: string): string;
  /** The address `getHostByName` gives, or nothing. */
  resolve(host: string): string | undefined;
}

function generateKey(kind: KeyKind): KeyObject {
  switch (kind) {
    case 'rsa-2048':
      return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    case 'rsa-4096':
      return generateKeyPairSync('rsa', { modulusLength: 4096 }).privateKey;
    case 'dsa':
      return generateKeyPairSync('dsa', { modulusLength: 2048, divisorLength: 256 }).privateKey;
    case 'ec-p256':
      return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    case 'ed25519':
      return generateKeyPairSync('ed25519').privateKey;
  }
}

const zones = new Map<string, Zone | undefined>([
  ['', UTC],
  ['UTC', UTC],
]);

function loadZone(name: string): Zone | undefined {
  if (!zones.has(name)) zones.set(name, readZone(name));
  return zones.get(name);
}

function readZone(name: string): Zone | undefined {
  if (name === 'Local') return localZone();
  // As Go: no absolute paths, no way out of the database.
  if (name.startsWith('/') || name.startsWith('\\') || name.split('/').includes('..')) return undefined;
  try {
    return parseZone(name, readFileSync(`/usr/share/zoneinfo/${name}`));
  } catch {
    return undefined;
  }
}

function localZone(): Zone {
  const name = process.env['TZ'] ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zone = name === 'UTC' || name === '' ? UTC : readZone(name);
  return zone ? { ...zone, name: 'Local' } : UTC;
}

/** The real thing, except that templates see no environment and no DNS unless a host gives them one. */
export const system: System = {
  now: () => BigInt(Date.now()) * 1_000_000n,
  random: length => randomBytes(length),
  generateKey,
  zone: loadZone,
  environment: () => '',
  resolve: () => undefined,
};
