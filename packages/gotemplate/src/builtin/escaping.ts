/** `html`, `js`, `urlquery`. */

import { printedOperands } from '../fmt/print.ts';
import { isPrint } from '../text/unicode.ts';
import { queryEscape } from '../url/escape.ts';
import { define, type FuncMap } from '../value/function.ts';

const entities: Record<string, string> = {
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\0': '\ufffd',
};

function escapeHtml(text: string): string {
  return text.replace(/["'&<>\0]/g, character => entities[character]!);
}

const escapes: Record<string, string> = {
  '\\': '\\\\',
  "'": "\\'",
  '"': '\\"',
  '<': '\\u003C',
  '>': '\\u003E',
  '&': '\\u0026',
  '=': '\\u003D',
};

function escapeJs(text: string): string {
  let out = '';
  for (const character of text) {
    const code = character.codePointAt(0)!;
    const escaped = escapes[character];
    if (escaped) out += escaped;
    else if (code < 0x20) out += `\\u00${code.toString(16).toUpperCase().padStart(2, '0')}`;
    // A byte that is no UTF-8 counts as U+FFFD, which is printable.
    else if (code < 0x80 || isPrint(code) || (code >= 0xdc80 && code <= 0xdcff)) out += character;
    else out += `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`;
  }
  return out;
}

export const escaping: FuncMap = {
  html: define('...any', (...operands) => escapeHtml(printedOperands(operands))),
  js: define('...any', (...operands) => escapeJs(printedOperands(operands))),
  urlquery: define('...any', (...operands) => queryEscape(printedOperands(operands))),
};
