import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '@capstan/kube';

/** A name for this data folder's node that no other has: made once, kept in it. Its processes carry it as a mark. */
export function nodeIdentity(folder: string, random: Random): string {
  const file = join(folder, 'node-id');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    const kept = readFileSync(file, 'utf8').trim();
    if (/^[0-9a-f]{32}$/.test(kept)) return kept;
  } catch {
    // Not there yet.
  }
  const fresh = Buffer.from(random.bytes(16)).toString('hex');
  writeFileSync(file, `${fresh}\n`, { mode: 0o600 });
  return fresh;
}
