/**
 * What one instance of a container wrote: a file of bounded size, and word to whoever follows it that there is more. Written at once, so that
 * nothing is lost with Capstan.
 */
import { closeSync, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '@capstan/kube';
import type { OutputStream } from '../host/container-runtime.ts';
import { formatLine, LineCutter } from './log-line.ts';

/** At this size a file is set aside as `.1`, which replaces the one set aside before: at most twice this is kept. */
const LARGEST_FILE = 10 * 1024 * 1024;

export class ContainerLog {
  readonly file: string;
  readonly #clock: Clock;
  readonly #largest: number;
  readonly #cutters = { stdout: new LineCutter(), stderr: new LineCutter() };
  readonly #waiting = new Set<() => void>();
  #descriptor: number | undefined;
  #size = 0;
  #rotations = 0;
  #ended = false;

  constructor(file: string, { clock, largest = LARGEST_FILE }: { clock: Clock; largest?: number }) {
    this.file = file;
    this.#clock = clock;
    this.#largest = largest;
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    this.#open();
  }

  /** How many times the file was set aside: a follower that has seen fewer goes on in a new one. */
  get rotations(): number {
    return this.#rotations;
  }

  get ended(): boolean {
    return this.#ended;
  }

  write(stream: OutputStream, chunk: Buffer): void {
    const pieces = this.#cutters[stream].add(chunk);
    if (pieces.length === 0) return;
    const now = this.#clock.now();
    this.#append(Buffer.concat(pieces.map(({ text, whole }) => formatLine(now, stream, text, whole))));
  }

  /** The instance is over. */
  end(): void {
    if (this.#ended) return;
    for (const stream of ['stdout', 'stderr'] as const) {
      const rest = this.#cutters[stream].finish();
      if (rest !== undefined) this.#append(formatLine(this.#clock.now(), stream, rest, false));
    }
    this.#ended = true;
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
    this.#tell();
  }

  /** Resolves when there is more to read than now, or it has ended, or the signal is aborted. */
  changed(signal: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      const tell = (): void => {
        this.#waiting.delete(tell);
        signal.removeEventListener('abort', tell);
        resolve();
      };
      if (signal.aborted) return resolve();
      this.#waiting.add(tell);
      signal.addEventListener('abort', tell, { once: true });
    });
  }

  #append(bytes: Buffer): void {
    if (this.#descriptor === undefined) return;
    if (this.#size > 0 && this.#size + bytes.length > this.#largest) this.#rotate();
    writeSync(this.#descriptor, bytes);
    this.#size += bytes.length;
    this.#tell();
  }

  #rotate(): void {
    closeSync(this.#descriptor!);
    renameSync(this.file, `${this.file}.1`);
    this.#rotations++;
    this.#open();
  }

  #open(): void {
    this.#descriptor = openSync(this.file, 'a', 0o600);
    this.#size = statSync(this.file).size;
  }

  #tell(): void {
    for (const tell of [...this.#waiting]) tell();
  }
}
