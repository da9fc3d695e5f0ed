import type { Meter } from '../evaluate/meter.ts';
import { ArrayList, type List } from '../value/list.ts';

/** Go's `strings.SplitN`: a negative limit means all, the last part keeps what is left. */
export function splitText([text, separator, limit = -1n]: [string, string, bigint?], meter: Meter): List {
  meter.build(text.length);
  if (limit === 0n) return new ArrayList([]);
  if (limit === 1n) return new ArrayList([text]);
  const parts: string[] = [];
  let rest = text;
  if (separator === '') {
    const characters = Array.from(text);
    meter.step(characters.length);
    if (limit < 0n || limit >= BigInt(characters.length)) return new ArrayList(characters);
    const head = characters.slice(0, Number(limit) - 1);
    return new ArrayList([...head, characters.slice(Number(limit) - 1).join('')]);
  }
  let at = 0;
  while (limit < 0n || BigInt(parts.length) < limit - 1n) {
    const found = text.indexOf(separator, at);
    if (found < 0) break;
    meter.step();
    parts.push(text.slice(at, found));
    at = found + separator.length;
  }
  rest = text.slice(at);
  parts.push(rest);
  return new ArrayList(parts);
}

/** Go's `strings.Replace`: an empty search text matches before every character and at the end. */
export function replaceText(
  [text, search, replacement, limit = -1n]: [string, string, string, bigint?],
  meter: Meter,
): string {
  meter.scan(text.length);
  if (limit === 0n || search === replacement) return text;
  const pieces = search === '' ? Array.from(text) : undefined;
  const available = pieces ? pieces.length + 1 : countOccurrences(text, search);
  const count = limit < 0n || limit > BigInt(available) ? available : Number(limit);
  meter.build(text.length + count * (replacement.length - search.length));
  meter.step(count * 8);
  if (pieces) {
    const changed = pieces.slice(0, count).map(piece => replacement + piece);
    const tail = count > pieces.length ? replacement : '';
    return changed.join('') + pieces.slice(count).join('') + tail;
  }
  const parts: string[] = [];
  let at = 0;
  for (let done = 0; done < count; done++) {
    const found = text.indexOf(search, at);
    parts.push(text.slice(at, found), replacement);
    at = found + search.length;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

function countOccurrences(text: string, search: string): number {
  let count = 0;
  for (let at = text.indexOf(search); at >= 0; at = text.indexOf(search, at + search.length)) count++;
  return count;
}
