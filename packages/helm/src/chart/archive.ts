/**
 * Unpacks a chart archive (`.tgz`) in memory. Nothing is written to disk, so a path that leaves the chart could do no harm here;
 * it is refused because whoever unpacks the chart next may write it.
 */

import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import tar from 'tar-stream';
import { HelmError } from '../errors.ts';
import type { ChartFile } from './chart.ts';
import type { ChartLimits } from './limits.ts';

const unzip = promisify(gunzip);

/**
 * Text compresses by a factor of 5 to 20; gzip's most is 1,030. An archive beyond this factor and larger than the second bound is
 * made to fill memory, not to install software.
 */
const suspiciousRatio = 200;
const unsuspiciousBytes = 8 * 1024 * 1024;

/** What all archives of one chart may still use: an archive within an archive counts on the same account. */
export class Allowance {
  bytes: number;
  entries: number;
  readonly limits: ChartLimits;

  constructor(limits: ChartLimits) {
    this.limits = limits;
    this.bytes = limits.bytes;
    this.entries = limits.entries;
  }

  /** Counts one file. */
  take(size: number): void {
    this.bytes -= size;
    this.entries -= 1;
    if (this.bytes < 0) {
      throw refused(`decompressed chart is larger than the maximum size ${this.limits.bytes}`);
    }
    if (this.entries < 0) throw refused(`chart has more than ${this.limits.entries} files`);
  }
}

function refused(message: string): HelmError {
  return new HelmError('ArchiveRefused', message);
}

/** The files of an archive, without the folder all of them are in. */
export async function unpackArchive(data: Uint8Array, allowance: Allowance): Promise<ChartFile[]> {
  const tarball = await decompress(data, allowance);
  const files: ChartFile[] = [];
  const extract = tar.extract();
  extract.end(tarball);
  try {
    for await (const entry of extract) {
      const { name, type, mtime } = entry.header;
      // The types of the library leave out that an entry can be iterated.
      const content = await read(entry as unknown as AsyncIterable<Uint8Array>);
      if (type === 'directory' || name.endsWith('/')) {
        allowance.take(0);
        continue;
      }
      if (type !== 'file' && type !== 'contiguous-file') {
        throw refused(`chart illegally contains ${article(type)}: ${JSON.stringify(name)}`);
      }
      allowance.take(content.length);
      const modTime = mtime && Number.isFinite(mtime.getTime()) ? { modTime: mtime.toISOString() } : {};
      files.push({ name: chartPath(name), data: withoutMark(content), ...modTime });
    }
  } catch (error) {
    if (error instanceof HelmError) throw error;
    throw refused(`chart archive is broken: ${(error as Error).message}`);
  }
  if (files.length === 0) throw refused('no files in chart archive');
  return files;
}

async function decompress(data: Uint8Array, allowance: Allowance): Promise<Buffer> {
  if (data[0] !== 0x1f || data[1] !== 0x8b) throw refused('chart archive does not appear to be a gzipped archive');
  // A tar has a block of 512 bytes before each file and pads each to whole blocks.
  const room = allowance.bytes + Math.max(allowance.entries, 0) * 1024 + 10_240;
  const ratioBound = Math.max(unsuspiciousBytes, data.length * suspiciousRatio);
  try {
    return await unzip(data, { maxOutputLength: Math.max(1, Math.min(room, ratioBound)) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') {
      throw refused(`chart archive cannot be decompressed: ${(error as Error).message}`);
    }
    if (room > ratioBound) throw refused(`chart archive expands more than ${suspiciousRatio} times`);
    throw refused(`decompressed chart is larger than the maximum size ${allowance.limits.bytes}`);
  }
}

async function read(entry: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of entry) chunks.push(chunk);
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

/** The path inside the chart, checked as Helm checks it. */
function chartPath(name: string): string {
  const parts = name.split(name.includes('\\') ? '\\' : '/');
  const inside = parts.slice(1).join('/');
  if (inside.startsWith('/')) throw refused('chart illegally contains absolute paths');
  const path = cleaned(inside);
  if (path === '.') {
    throw refused(`chart illegally contains content outside the base directory: ${JSON.stringify(name)}`);
  }
  if (path.startsWith('..')) throw refused('chart illegally references parent directory');
  if (/^[a-zA-Z]:\//.test(path) || path.includes('\0')) throw refused('chart contains illegally named files');
  if (parts[0] === 'Chart.yaml') throw refused('chart yaml not in base directory');
  return path;
}

/** Go's `path.Clean` for a relative path. */
function cleaned(path: string): string {
  const out: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && out.length > 0 && out.at(-1) !== '..') out.pop();
    else out.push(part);
  }
  return out.length === 0 ? '.' : out.join('/');
}

function article(type: string | null | undefined): string {
  if (type === 'symlink') return 'a symbolic link';
  if (type === 'link') return 'a hard link';
  return `an entry of type ${type ?? 'unknown'}`;
}

/** Editors on Windows put a byte order mark first; no reader of a chart wants it. */
export function withoutMark(data: Uint8Array): Uint8Array {
  return data[0] === 0xef && data[1] === 0xbb && data[2] === 0xbf ? data.subarray(3) : data;
}
