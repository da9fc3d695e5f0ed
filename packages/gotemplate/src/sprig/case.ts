/** `camelcase`, `snakecase`, `kebabcase` as huandu/xstrings splits words. */

import { runes } from '../text/bytes.ts';
import { isLetter, isSpace, isUpper, toLower, toUpper } from '../text/unicode.ts';
import { define, type FuncMap } from '../value/function.ts';

const isConnector = (code: number) => code === 0x2d || code === 0x5f || isSpace(code);
const test = (pattern: RegExp) => (code: number) => pattern.test(String.fromCodePoint(code));
const isPunctuation = test(/^\p{P}$/u);
const isNumber = test(/^\p{N}$/u);

/** The letters that xstrings counts as Chinese, Japanese and Korean, which make no words. */
const isIdeograph = (code: number) =>
  (code >= 0x4e00 && code <= 0x9fcc) || (code >= 0x3400 && code <= 0x4d85) || (code >= 0x20000 && code <= 0x2b81d);

const isAlphabet = (code: number) => isLetter(code) && !isIdeograph(code);

function camelCase(text: string): string {
  const codes = runes(text);
  if (codes.length === 0) return '';
  const out: number[] = [];
  let at = 0;
  let firstUpper = false;
  let current = 0;
  for (; at < codes.length; ) {
    current = codes[at++]!;
    if (!isConnector(current)) {
      firstUpper = isUpper(current);
      current = toUpper(current);
      break;
    }
    out.push(current);
  }
  if (at >= codes.length) {
    // All connectors: the last one is written twice, as there is no word to end with.
    return String.fromCodePoint(...out, current);
  }
  while (at < codes.length) {
    const previous = current;
    current = codes[at++]!;
    if (isConnector(current) && isConnector(previous)) {
      out.push(previous);
      continue;
    }
    if (isConnector(previous)) {
      firstUpper = isUpper(current);
      current = toUpper(current);
    } else {
      if (firstUpper) {
        if (isUpper(current)) current = toLower(current);
        else firstUpper = false;
      }
      out.push(previous);
    }
  }
  return String.fromCodePoint(...out, current);
}

type WordType = 'none' | 'number' | 'upper' | 'alphabet' | 'connector' | 'punctuation' | 'other';

interface Word {
  readonly type: WordType;
  readonly codes: readonly number[];
}

/** Cuts the next word off the front of the list. */
function nextWord(codes: number[]): Word {
  if (codes.length === 0) return { type: 'none', codes: [] };
  const run = (from: number, belongs: (code: number) => boolean) => {
    let end = from;
    while (end < codes.length && belongs(codes[end]!)) end++;
    return end;
  };
  const first = codes[0]!;
  let type: WordType;
  let end: number;
  if (isConnector(first)) [type, end] = ['connector', run(1, isConnector)];
  else if (isPunctuation(first)) [type, end] = ['punctuation', run(1, isPunctuation)];
  else if (isUpper(first)) {
    type = 'upper';
    end = 1;
    const second = codes[1];
    if (second !== undefined && isUpper(second)) {
      end = run(2, isUpper);
      // In "HTTPServer" the S starts the next word.
      if (end < codes.length && isAlphabet(codes[end]!)) end--;
    } else if (second !== undefined && isAlphabet(second)) {
      end = run(2, code => isAlphabet(code) && !isUpper(code));
    }
  } else if (isAlphabet(first)) [type, end] = ['alphabet', run(1, code => isAlphabet(code) && !isUpper(code))];
  else if (isNumber(first)) [type, end] = ['number', run(1, isNumber)];
  else {
    type = 'other';
    end = run(1, code => !(isConnector(code) || isAlphabet(code) || isNumber(code) || isPunctuation(code)));
  }
  return { type, codes: codes.splice(0, end) };
}

function lowered(word: Word, connector: string): string {
  let out = '';
  for (const code of word.codes) {
    if (word.type === 'upper') out += String.fromCodePoint(toLower(code));
    else out += word.type === 'connector' && isConnector(code) ? connector : String.fromCodePoint(code);
  }
  return out;
}

const isBoundary = (type: WordType) => type !== 'connector' && type !== 'punctuation';

function separated(text: string, connector: string): string {
  const rest = Array.from(text, character => character.codePointAt(0)!);
  let out = '';
  let word = nextWord(rest);
  const glueLetters = () => {
    while (word.type === 'alphabet' || word.type === 'number') {
      out += lowered(word, connector);
      word = nextWord(rest);
    }
    if (word.type !== 'none' && isBoundary(word.type)) out += connector;
  };
  while (rest.length > 0) {
    if (word.type !== 'connector') out += lowered(word, connector);
    const previous = word;
    word = nextWord(rest);
    switch (previous.type) {
      case 'number':
        glueLetters();
        break;
      case 'connector':
        out += lowered(previous, connector);
        break;
      case 'punctuation':
        break;
      default: {
        if (word.type !== 'number') {
          if (isBoundary(word.type)) out += connector;
          break;
        }
        if (rest.length === 0) break;
        const digits = word;
        word = nextWord(rest);
        if (word.type !== 'alphabet') {
          out += lowered(digits, connector);
          if (isBoundary(word.type)) out += connector;
          break;
        }
        out += connector + lowered(digits, connector);
        glueLetters();
      }
    }
  }
  return out + lowered(word, connector);
}

export const caseFunctions: FuncMap = {
  camelcase: define('string', camelCase),
  snakecase: define('string', text => separated(text, '_')),
  kebabcase: define('string', text => separated(text, '-')),
};
