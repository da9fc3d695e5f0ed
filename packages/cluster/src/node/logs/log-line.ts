/** Lines of a container's log on disk, in the form that container runtimes have: time, stream, `F` or `P`, text. */
import type { LogEntry } from '@capstan/apiserver';
import type { OutputStream } from '../host/container-runtime.ts';

/** A line longer than this is stored in pieces: each but the last is `P`, partial. */
export const LONGEST_PIECE = 16_384;
const NEWLINE = 0x0a;

export function formatLine(time: number, stream: OutputStream, text: Uint8Array, whole: boolean): Buffer {
  const head = `${new Date(time).toISOString().slice(0, 23)}000000Z ${stream} ${whole ? 'F' : 'P'} `;
  return Buffer.concat([Buffer.from(head), text, Buffer.of(NEWLINE)]);
}

/** One stored line without its newline; undefined for one that was cut off by the end of the machine. */
export function parseLine(line: Buffer): LogEntry | undefined {
  const [afterTime, afterStream] = [line.indexOf(' '), line.indexOf(' ', line.indexOf(' ') + 1)];
  if (afterTime < 0 || afterStream < 0) return undefined;
  const time = Date.parse(line.toString('latin1', 0, afterTime));
  const stream = line.toString('latin1', afterTime + 1, afterStream);
  if (Number.isNaN(time) || (stream !== 'stdout' && stream !== 'stderr')) return undefined;
  const whole = line[afterStream + 1] === 0x46;
  const text = line.subarray(afterStream + 3);
  return { time, stream, content: whole ? Buffer.concat([text, Buffer.of(NEWLINE)]) : Buffer.from(text) };
}

/** Cuts a stream of bytes into lines and pieces of lines, and keeps the rest until more comes. */
export class LineCutter {
  #rest: Buffer = Buffer.alloc(0);

  /** What can be stored of it now: texts, each whole or a piece. */
  add(chunk: Buffer): { readonly text: Buffer; readonly whole: boolean }[] {
    let rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const pieces: { text: Buffer; whole: boolean }[] = [];
    for (;;) {
      const end = rest.indexOf(NEWLINE);
      if (end >= 0 && end <= LONGEST_PIECE) {
        pieces.push({ text: rest.subarray(0, end), whole: true });
        rest = rest.subarray(end + 1);
      } else if (rest.length > LONGEST_PIECE) {
        pieces.push({ text: rest.subarray(0, LONGEST_PIECE), whole: false });
        rest = rest.subarray(LONGEST_PIECE);
      } else break;
    }
    this.#rest = Buffer.from(rest);
    return pieces;
  }

  /** What never got its newline. */
  finish(): Buffer | undefined {
    const rest = this.#rest;
    this.#rest = Buffer.alloc(0);
    return rest.length > 0 ? rest : undefined;
  }
}
