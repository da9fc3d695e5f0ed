/**
 * A short name for a Pod template: the label `pod-template-hash`, `controller-revision-hash`, and the end of names. Kubernetes hashes
 * how Go prints the template, which changes with each of its releases and which nobody may rely on; ours is over the JSON with sorted
 * keys. Shape and alphabet are Kubernetes' own: up to ten letters and digits that spell no words.
 */
import type { Json } from '@capstan/kube';

export function templateHash(template: unknown, collisionCount?: number): string {
  let hash = fnv32a(canonical(template as Json));
  // A collision is resolved by hashing on, as often as the count says.
  if (collisionCount !== undefined) hash = fnv32a(`/${collisionCount}`, hash);
  return safeEncoded(String(hash));
}

const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

function fnv32a(text: string, start: number = OFFSET): number {
  let hash = start;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, PRIME) >>> 0;
  return hash;
}

const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

function safeEncoded(text: string): string {
  return [...text].map(character => ALPHABET[character.charCodeAt(0) % ALPHABET.length]).join('');
}

/** JSON with sorted keys, and without what is not there: equal templates give equal text. */
export function canonical(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const fields = Object.keys(value).filter(key => value[key] !== undefined && value[key] !== null);
  return `{${fields
    .sort()
    .map(key => `${JSON.stringify(key)}:${canonical(value[key])}`)
    .join(',')}}`;
}
