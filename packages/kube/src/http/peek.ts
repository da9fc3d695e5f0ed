/**
 * Reads who an object is out of its JSON and leaves the rest as bytes. Most objects that a controller watches are never read:
 * parsing them, and holding what was parsed, is most of what a watch costs.
 *
 * Whatever looks unusual is not peeked at; the caller then parses the whole of it.
 */
import type { ObjectIdentity } from '../transport.ts';

export interface Peeked {
  readonly identity: ObjectIdentity;
  /** The object as JSON, without `managedFields`; a copy, so that it keeps nothing else in memory. */
  readonly bytes: Buffer;
  /** Where its metadata begins and ends in them. */
  readonly metadataStart: number;
  readonly metadataEnd: number;
}

/** The object whose JSON is `bytes` from `start` up to `end`; undefined where that does not look as Kubernetes prints an object. */
export function peek(bytes: Buffer, start: number, end: number): Peeked | undefined {
  if (bytes[start] !== OPEN || bytes[end - 1] !== CLOSE) return undefined;
  for (let at = start + 1; bytes[at] === QUOTE; ) {
    const colon = afterString(bytes, at, end);
    if (colon >= end || bytes[colon] !== COLON) return undefined;
    if (isNamed(bytes, at, colon, METADATA)) return peekMetadata(bytes, start, colon + 1, end);
    const comma = afterValue(bytes, colon + 1, end);
    if (comma >= end || bytes[comma] !== COMMA) return undefined;
    at = comma + 1;
  }
  return undefined;
}

function peekMetadata(bytes: Buffer, start: number, metadataStart: number, end: number): Peeked | undefined {
  if (bytes[metadataStart] !== OPEN) return undefined;
  const identity: { name: string; namespace: string | undefined; uid: string; resourceVersion: string } = {
    name: '',
    namespace: undefined,
    uid: '',
    resourceVersion: '',
  };
  let [cutFrom, cutTo] = [end, end];
  let at = metadataStart + 1;
  for (;;) {
    if (bytes[at] !== QUOTE) return undefined;
    const colon = afterString(bytes, at, end);
    if (colon >= end || bytes[colon] !== COLON) return undefined;
    const after = afterValue(bytes, colon + 1, end);
    if (after >= end) return undefined;
    const member = MEMBERS[colon - at];
    if (member !== undefined && isNamed(bytes, at, colon, member.quoted)) {
      if (member.field === 'managedFields') {
        // The member goes, and one of the commas beside it.
        const first = bytes[at - 1] === OPEN;
        cutFrom = first ? at : at - 1;
        cutTo = first && bytes[after] === COMMA ? after + 1 : after;
      } else {
        const text = plainText(bytes, colon + 1, after);
        if (text === undefined) return undefined;
        identity[member.field] = text;
      }
    }
    at = after + 1;
    if (bytes[after] === CLOSE) break;
    if (bytes[after] !== COMMA) return undefined;
  }
  // The object itself has yet to end.
  if (at >= end) return undefined;
  if (identity.name === '' || identity.uid === '' || identity.resourceVersion === '') return undefined;
  const cut = cutTo - cutFrom;
  const kept = Buffer.allocUnsafe(end - start - cut);
  bytes.copy(kept, 0, start, cutFrom);
  if (cut > 0) bytes.copy(kept, cutFrom - start, cutTo, end);
  return {
    identity,
    bytes: kept,
    metadataStart: metadataStart - start,
    metadataEnd: at - start - cut,
  };
}

function isNamed(bytes: Uint8Array, start: number, end: number, name: Uint8Array): boolean {
  if (end - start !== name.length) return false;
  for (let index = 1; index < name.length - 1; index++) if (bytes[start + index] !== name[index]) return false;
  return true;
}

/** A string of printable ASCII, as all that identifies an object is. */
function plainText(bytes: Buffer, start: number, end: number): string | undefined {
  if (bytes[start] !== QUOTE) return undefined;
  const text = bytes.toString('latin1', start + 1, end - 1);
  return /^[\x21-\x5b\x5d-\x7e]+$/.test(text) ? text : undefined;
}

/** Right after the string that begins at `at`; beyond `end` where it does not end. */
function afterString(bytes: Uint8Array, at: number, end: number): number {
  for (let index = at + 1; index < end; index++) {
    const byte = bytes[index];
    if (byte === QUOTE) return index + 1;
    if (byte === BACKSLASH) index++;
  }
  return end + 1;
}

/** Right after the value that begins at `at`; beyond `end` where it does not end. */
function afterValue(bytes: Uint8Array, at: number, end: number): number {
  let depth = 0;
  for (let index = at; index < end; index++) {
    const byte = bytes[index]!;
    if (byte === QUOTE) {
      index = afterString(bytes, index, end) - 1;
      if (depth === 0) return index + 1;
    } else if (byte === COMMA) {
      if (depth === 0) return index;
    } else if ((byte | LIST_BIT) === OPEN) {
      depth++;
    } else if ((byte | LIST_BIT) === CLOSE) {
      // Of a number, `true` or `null`, the end is what follows.
      if (depth === 0) return index;
      if (--depth === 0) return index + 1;
    }
  }
  return end + 1;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
/** What makes `[` a `{` and `]` a `}`. */
const LIST_BIT = 0x20;
const METADATA = Buffer.from('"metadata"');

type MemberName = 'name' | 'uid' | 'namespace' | 'managedFields' | 'resourceVersion';

/** What is looked for in metadata, by the length of its quoted name: no two have the same. */
const MEMBERS: (Readonly<{ field: MemberName; quoted: Buffer }> | undefined)[] = [];
for (const field of ['name', 'uid', 'namespace', 'managedFields', 'resourceVersion'] as const) {
  const quoted = Buffer.from(`"${field}"`);
  MEMBERS[quoted.length] = { field, quoted };
}
