import type { TerminalSize } from './node-agent.ts';

/** No size has so many characters; what is longer is none. */
const LIMIT = 1024;

/** Reads sizes from text that may be cut anywhere: `{"Width":80,"Height":24}`. What is none is passed over. */
export class TerminalSizes {
  #rest = '';

  read(bytes: Uint8Array): TerminalSize[] {
    const text = this.#rest + Buffer.from(bytes).toString('latin1');
    const end = text.lastIndexOf('}') + 1;
    this.#rest = text.length - end > LIMIT ? '' : text.slice(end);
    return (text.slice(0, end).match(/\{[^{}]*\}/g) ?? []).flatMap(sizeOf);
  }
}

function sizeOf(text: string): TerminalSize[] {
  try {
    const { Width: columns, Height: rows } = JSON.parse(text) as { Width?: unknown; Height?: unknown };
    return isLength(columns) && isLength(rows) ? [{ columns, rows }] : [];
  } catch {
    return [];
  }
}

const isLength = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) > 0 && (value as number) < 65_536;
