/** Percent-encoding as Go's net/url does it, by part of the URL. */

import { GoError } from '../errors.ts';
import { fromBytes, toBytes } from '../text/bytes.ts';
import { quote } from '../text/quote.ts';

export type UrlPart = 'path' | 'host' | 'userinfo' | 'query' | 'fragment';

const unreserved = /[A-Za-z0-9\-_.~]/;
const allowed: Record<UrlPart, string> = {
  path: '$&+,/:;=@',
  host: '!$&\'()*+,;=:[]<>"',
  userinfo: '$&+,;=',
  query: '',
  fragment: "$&+,/:;=?@!()*'",
};

function mayStay(character: string, part: UrlPart): boolean {
  return unreserved.test(character) || allowed[part].includes(character);
}

/** Go's fragments keep `!()*` but not the apostrophe. */
export function escapeUrl(text: string, part: UrlPart): string {
  let out = '';
  for (const byte of toBytes(text)) {
    const character = String.fromCharCode(byte);
    if (byte < 0x80 && mayStay(character, part) && !(part === 'fragment' && character === "'")) out += character;
    else if (part === 'query' && character === ' ') out += '+';
    else out += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return out;
}

/** `url.QueryEscape`. */
export const queryEscape = (text: string): string => escapeUrl(text, 'query');

/** `unescape`: throws Go's error for a bad escape. */
export function unescapeUrl(text: string, part: UrlPart): string {
  if (!text.includes('%') && part !== 'host' && !(part === 'query' && text.includes('+'))) return text;
  const bytes: number[] = [];
  const source = toBytes(text);
  for (let index = 0; index < source.length; index++) {
    const byte = source[index]!;
    const character = String.fromCharCode(byte);
    if (character === '%') {
      const digits = fromBytes(source.subarray(index + 1, index + 3));
      const bad = !/^[0-9a-fA-F]{2}$/.test(digits);
      if (bad || (part === 'host' && Number.parseInt(digits, 16) < 0x80)) {
        throw new GoError(`invalid URL escape ${quote(fromBytes(source.subarray(index, index + 3)))}`);
      }
      bytes.push(Number.parseInt(digits, 16));
      index += 2;
    } else if (part === 'query' && character === '+') bytes.push(0x20);
    else {
      if (part === 'host' && byte < 0x80 && !mayStay(character, part)) {
        throw new GoError(`invalid character ${quote(character)} in host name`);
      }
      bytes.push(byte);
    }
  }
  return fromBytes(Uint8Array.from(bytes));
}
