/** Reads a container's log, and follows it. */
import { type FileHandle, open, readFile } from 'node:fs/promises';
import type { LogEntry } from '@capstan/apiserver';
import type { ContainerLog } from './container-log.ts';
import { parseLine } from './log-line.ts';

export interface ReadLogOptions {
  readonly file: string;
  readonly tailLines?: number | undefined;
  /** The log that is still being written, to go on with what comes. */
  readonly follow?: ContainerLog | undefined;
  readonly signal: AbortSignal;
}

const NEWLINE = 0x0a;
const CHUNK = 65_536;

export async function* readLog({ file, tailLines, follow, signal }: ReadLogOptions): AsyncGenerator<LogEntry> {
  const rotations = follow?.rotations ?? 0;
  const aside = await readFile(`${file}.1`).catch(() => Buffer.alloc(0));
  const handle = await open(file).catch(() => undefined);
  if (handle === undefined) return;
  try {
    const { size } = await handle.stat();
    const current = Buffer.alloc(size);
    await handle.read(current, 0, size, 0);
    const { entries, rest } = entriesIn(tailOf(Buffer.concat([aside, current]), tailLines));
    yield* entries;
    if (follow === undefined) return;
    yield* followLog(follow, { handle, position: size - rest.length, rotations, signal });
  } finally {
    await handle.close().catch(() => {});
  }
}

interface Place {
  handle: FileHandle;
  position: number;
  rotations: number;
  readonly signal: AbortSignal;
}

async function* followLog(log: ContainerLog, place: Place): AsyncGenerator<LogEntry> {
  const { signal } = place;
  const first = place.handle;
  try {
    while (!signal.aborted) {
      // Asked for before the reading, so that what is written meanwhile is not missed.
      const { ended, rotations } = log;
      const changed = log.changed(signal);
      yield* readOn(place);
      if (signal.aborted) return;
      if (rotations > place.rotations) {
        const next = await open(log.file);
        if (place.handle !== first) await place.handle.close();
        Object.assign(place, { handle: next, position: 0, rotations });
      } else if (ended) return;
      else await changed;
    }
  } finally {
    if (place.handle !== first) await place.handle.close().catch(() => {});
  }
}

async function* readOn(place: Place): AsyncGenerator<LogEntry> {
  for (;;) {
    const buffer = Buffer.alloc(CHUNK);
    const { bytesRead } = await place.handle.read(buffer, 0, CHUNK, place.position);
    const { entries, rest } = entriesIn(buffer.subarray(0, bytesRead));
    if (entries.length === 0) return;
    place.position += bytesRead - rest.length;
    for (const entry of entries) {
      if (place.signal.aborted) return;
      yield entry;
    }
  }
}

function entriesIn(bytes: Buffer): { readonly entries: LogEntry[]; readonly rest: Buffer } {
  const entries: LogEntry[] = [];
  let begin = 0;
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, begin)) {
    const entry = parseLine(bytes.subarray(begin, end));
    if (entry !== undefined) entries.push(entry);
    begin = end + 1;
  }
  return { entries, rest: bytes.subarray(begin) };
}

/** The last lines, counted from the end without looking at the rest. */
function tailOf(bytes: Buffer, lines: number | undefined): Buffer {
  if (lines === undefined) return bytes;
  let begin = bytes.lastIndexOf(NEWLINE) + 1;
  for (let found = 0; found < lines && begin > 0; found++) {
    begin = begin < 2 ? 0 : bytes.lastIndexOf(NEWLINE, begin - 2) + 1;
  }
  return bytes.subarray(begin);
}
