/**
 * What a value in a `--set` text becomes. The five flags share one grammar of keys and differ in this:
 *
 * | flag | `a=1,b={x,y},c=null` |
 * |---|---|
 * | `--set` | 1, a list, null |
 * | `--set-string` | texts and lists of texts |
 * | `--set-file` | the contents of the files named |
 * | `--set-json` | JSON |
 * | `--set-literal` | everything after `=`, commas included |
 */

import { decodeJson, toHost } from '@capstan/gotemplate';
import { HelmError } from '../errors.ts';
import type { ValuesNode } from './values.ts';

export type ReadText = (text: string) => ValuesNode;

const longest = 2n ** 63n - 1n;

/** `--set`: true, false, null and integers are recognized in any case; a leading zero makes it text. */
export function typedValue(text: string): ValuesNode {
  const lower = text.toLowerCase();
  if (lower === 'true') return true;
  if (lower === 'false') return false;
  if (lower === 'null') return null;
  if (text === '0') return 0n;
  if (/^(?!0)[+-]?[0-9]+$/.test(text)) {
    const number = BigInt(text.replace(/^\+/, ''));
    if (number <= longest && number >= -longest - 1n) return number;
  }
  return text;
}

export const textValue: ReadText = text => text;

/** The JSON value a text begins with, and the text it takes. */
export function leadingJson(text: string): { readonly value: ValuesNode; readonly consumed: string } {
  const end = jsonEnd(text);
  const consumed = text.slice(0, end);
  try {
    return { value: toHost(decodeJson(consumed)), consumed };
  } catch (error) {
    throw new HelmError('ValuesInvalid', (error as Error).message);
  }
}

/** Where the first JSON value of a text ends: at the bracket that closes it, the quote, or the end of a word. */
function jsonEnd(text: string): number {
  let at = /^\s*/.exec(text)![0].length;
  let depth = 0;
  for (; at < text.length; at++) {
    const character = text[at]!;
    if (character === '"') {
      at = stringEnd(text, at);
      if (depth === 0) return at + 1;
    } else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') {
      depth--;
      if (depth <= 0) return at + 1;
    } else if (depth === 0 && /[,\s]/.test(character)) return at;
  }
  return text.length;
}

/** The index of the quote that closes a string. */
function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
