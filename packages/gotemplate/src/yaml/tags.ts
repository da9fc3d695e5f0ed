/** Tags (`!!str`, `!local`, `!<uri>`) and directives (`%YAML`, `%TAG`). */

import { escapeByte, normalize } from '../text/bytes.ts';
import { isBlank, isBlankOrEnd, isBreak, isBreakOrEnd, isWord } from './characters.ts';
import type { Scanner, Token } from './scanner.ts';

export function scanTag(scanner: Scanner): Token {
  const start = scanner.mark();
  let handle = '';
  let suffix: string;
  if (scanner.at(1) === 0x3c) {
    scanner.skip();
    scanner.skip();
    suffix = scanUri(scanner, '');
    if (scanner.at() !== 0x3e) scanner.fail("did not find the expected '>'");
    scanner.skip();
  } else {
    handle = scanHandle(scanner, false);
    if (handle.length > 1 && handle.endsWith('!')) suffix = scanUri(scanner, '');
    else {
      suffix = scanUri(scanner, handle);
      handle = '!';
      // A lone "!" is a suffix without a handle.
      if (suffix === '') [handle, suffix] = ['', '!'];
    }
  }
  if (!isBlankOrEnd(scanner.at())) scanner.fail('did not find expected whitespace or line break');
  return { type: 'tag', start, end: scanner.mark(), value: handle, suffix };
}

function scanHandle(scanner: Scanner, isDirective: boolean): string {
  if (scanner.at() !== 0x21) scanner.fail("did not find expected '!'");
  const from = scanner.index;
  scanner.skip();
  while (isWord(scanner.at())) scanner.skip();
  if (scanner.at() === 0x21) scanner.skip();
  else if (isDirective && scanner.index - from > 1) scanner.fail("did not find expected '!'");
  return scanner.text.slice(from, scanner.index);
}

/** What was read as a handle may be the start of the suffix. */
function scanUri(scanner: Scanner, head: string): string {
  let uri = head.slice(1);
  let found = head !== '';
  for (;;) {
    const code = scanner.at();
    const isUri = isWord(code) || (!Number.isNaN(code) && ";/?:@&=+$,.!~*'()[]%".includes(String.fromCharCode(code)));
    if (!isUri) break;
    if (code === 0x25) uri += scanEscape(scanner);
    else {
      uri += scanner.text[scanner.index];
      scanner.skip();
    }
    found = true;
  }
  if (!found) scanner.fail('did not find expected tag URI');
  return normalize(uri);
}

function scanEscape(scanner: Scanner): string {
  const digits = scanner.text.slice(scanner.index + 1, scanner.index + 3);
  if (!/^[0-9a-fA-F]{2}$/.test(digits)) scanner.fail('did not find URI escaped octet');
  for (let count = 0; count < 3; count++) scanner.skip();
  const byte = Number.parseInt(digits, 16);
  return byte < 0x80 ? String.fromCharCode(byte) : escapeByte(byte);
}

export function scanDirective(scanner: Scanner): Token {
  const start = scanner.mark();
  scanner.skip();
  const from = scanner.index;
  while (isWord(scanner.at())) scanner.skip();
  const name = scanner.text.slice(from, scanner.index);
  if (name === '') scanner.fail('could not find expected directive name');
  if (!isBlankOrEnd(scanner.at())) scanner.fail('found unexpected non-alphabetical character');
  let token: Token;
  if (name === 'YAML') token = { type: 'versionDirective', start, end: start, value: scanVersion(scanner) };
  else if (name === 'TAG') token = { type: 'tagDirective', start, end: start, ...scanTagDirective(scanner) };
  else scanner.fail('found unknown directive name');
  scanner.skipBlanks();
  scanner.skipComment();
  if (!isBreakOrEnd(scanner.at())) scanner.fail('did not find expected comment or line break');
  if (isBreak(scanner.at())) scanner.readBreak();
  return token;
}

function scanVersion(scanner: Scanner): string {
  scanner.skipBlanks();
  const major = scanVersionNumber(scanner);
  if (scanner.at() !== 0x2e) scanner.fail("did not find expected digit or '.' character");
  scanner.skip();
  return `${major}.${scanVersionNumber(scanner)}`;
}

function scanVersionNumber(scanner: Scanner): number {
  const digits = /^[0-9]*/.exec(scanner.text.slice(scanner.index, scanner.index + 3))![0];
  if (digits.length > 2) scanner.fail('found extremely long version number');
  if (digits === '') scanner.fail('did not find expected version number');
  for (const _ of digits) scanner.skip();
  return Number(digits);
}

function scanTagDirective(scanner: Scanner): { value: string; suffix: string } {
  scanner.skipBlanks();
  const value = scanHandle(scanner, true);
  if (!isBlank(scanner.at())) scanner.fail('did not find expected whitespace');
  scanner.skipBlanks();
  const suffix = scanUri(scanner, '');
  if (!isBlankOrEnd(scanner.at())) scanner.fail('did not find expected whitespace or line break');
  return { value, suffix };
}
