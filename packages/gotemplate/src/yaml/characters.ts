/** The classes of characters of YAML 1.1. The end of the text counts as NaN, which `charCodeAt` gives there. */

export const isEnd = (code: number): boolean => Number.isNaN(code);
export const isBreak = (code: number): boolean =>
  code === 0x0a || code === 0x0d || code === 0x85 || code === 0x2028 || code === 0x2029;
export const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;
export const isBreakOrEnd = (code: number): boolean => isEnd(code) || isBreak(code);
export const isBlankOrEnd = (code: number): boolean => {
  // Letters and digits first: they are most of every text.
  if (code > 0x20 && code < 0x85) return false;
  return isBlank(code) || isBreakOrEnd(code);
};
export const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
/** Letters, digits, `_` and `-`: what names are made of. */
export const isWord = (code: number): boolean =>
  isDigit(code) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code === 0x5f || code === 0x2d;

/** What may not stand in a document at all. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
export const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/;
