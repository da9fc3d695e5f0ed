import { GoError } from '../errors.ts';
import { toBytes } from './bytes.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

const corrupt = (at: number) => new GoError(`illegal base64 data at input byte ${at}`);

/** `base64.StdEncoding.DecodeString`: new lines are ignored, padding is not optional. */
export function decodeBase64(text: string): Uint8Array {
  const source = Buffer.from(toBytes(text)).toString('latin1');
  const out: number[] = [];
  let at = 0;
  const skipNewlines = () => {
    while (source[at] === '\n' || source[at] === '\r') at++;
  };
  for (;;) {
    const quantum: number[] = [];
    while (quantum.length < 4) {
      skipNewlines();
      if (at === source.length) {
        if (quantum.length === 0) return Uint8Array.from(out);
        throw corrupt(at - quantum.length);
      }
      const character = source[at++]!;
      const value = alphabet.indexOf(character);
      if (value >= 0) {
        quantum.push(value);
        continue;
      }
      if (character !== '=' || quantum.length < 2) throw corrupt(at - 1);
      if (quantum.length === 2) {
        skipNewlines();
        if (at === source.length) throw corrupt(source.length);
        if (source[at] !== '=') throw corrupt(at - 1);
        at++;
      }
      skipNewlines();
      if (at < source.length) throw corrupt(at);
      return Uint8Array.from([...out, ...quantumBytes(quantum)]);
    }
    out.push(...quantumBytes(quantum));
  }
}

function quantumBytes(quantum: readonly number[]): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = quantum;
  const bits = (a << 18) | (b << 12) | (c << 6) | d;
  return [(bits >> 16) & 255, (bits >> 8) & 255, bits & 255].slice(0, quantum.length - 1);
}
