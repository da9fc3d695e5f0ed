/** Makes chart archives, good and bad, for tests. */

import { gzipSync } from 'node:zlib';
import tar from 'tar-stream';

export interface Entry {
  readonly name: string;
  readonly type?: 'file' | 'symlink' | 'link' | 'fifo' | 'character-device' | 'directory';
  readonly linkname?: string;
  readonly data?: string | Uint8Array;
}

export async function chartArchive(files: Readonly<Record<string, string>> | readonly Entry[]): Promise<Uint8Array> {
  const entries = Array.isArray(files)
    ? (files as readonly Entry[])
    : Object.entries(files).map(([name, data]): Entry => ({ name, data }));
  const pack = tar.pack();
  for (const { name, type = 'file', linkname, data = '' } of entries) {
    const content = Buffer.from(data as string);
    pack.entry(
      { name, type, ...(linkname !== undefined && { linkname }) },
      type === 'file' ? content : Buffer.alloc(0),
    );
  }
  pack.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of pack as unknown as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return gzipSync(Buffer.concat(chunks));
}
