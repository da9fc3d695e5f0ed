/** Which way of writing a string YAML allows, by libyaml's analysis. */

import { byteLength } from '../text/bytes.ts';
import { isBlankOrEnd, isBreak } from './characters.ts';

export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal';

export interface Analysis {
  readonly multiline: boolean;
  readonly plainAllowed: boolean;
  readonly singleAllowed: boolean;
  readonly blockAllowed: boolean;
}

const ordinary = /^[A-Za-z0-9_./-][A-Za-z0-9_./-]*$/;
const simple: Analysis = { multiline: false, plainAllowed: true, singleAllowed: true, blockAllowed: true };

/** Printable to go-yaml v2, which writes everything above U+FFFF (emoji) as an escape. */
export function isPrintable(code: number): boolean {
  return (
    code === 0x0a ||
    (code >= 0x20 && code <= 0x7e) ||
    (code >= 0xa0 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd && code !== 0xfeff)
  );
}

/** go-yaml v3 lets tabs stand in block scalars, v2 does not. */
export function analyze(text: string, tabsInBlocks = false): Analysis {
  if (text === '') return { multiline: false, plainAllowed: true, singleAllowed: true, blockAllowed: false };
  // What most strings are; a leading "-" or "." may still be a document marker.
  if (ordinary.test(text) && text !== '-' && !text.startsWith('---') && !text.startsWith('...')) return simple;
  let indicators = text.startsWith('---') || text.startsWith('...');
  let [breaks, special, breakSpace, spaceBreak, tabs] = [false, false, false, false, false];
  let [previousSpace, previousBreak, afterBlank] = [false, false, true];
  const characters = [...text];
  for (const [index, character] of characters.entries()) {
    const code = character.codePointAt(0)!;
    const next = characters[index + 1];
    const blankFollows = next === undefined || next === ' ' || next === '\t';
    if (index === 0) {
      if ('#,[]{}&*!|>\'"%@`'.includes(character)) indicators = true;
      else if ((character === '?' || character === ':' || character === '-') && blankFollows) indicators = true;
    } else if (character === ':' && blankFollows) indicators = true;
    else if (character === '#' && afterBlank) indicators = true;
    if (tabsInBlocks && character === '\t') tabs = true;
    else if (!isPrintable(code)) special = true;
    if (character === ' ') {
      if (previousBreak) breakSpace = true;
      [previousSpace, previousBreak] = [true, false];
    } else if (isBreak(code)) {
      breaks = true;
      if (previousSpace) spaceBreak = true;
      [previousSpace, previousBreak] = [false, true];
    } else [previousSpace, previousBreak] = [false, false];
    afterBlank = isBlankOrEnd(code);
  }
  const edge = (character: string) => character === ' ' || isBreak(character.codePointAt(0)!);
  const loose = edge(characters[0]!) || edge(characters.at(-1)!);
  const unquotable = spaceBreak || special;
  return {
    multiline: breaks,
    plainAllowed: !(loose || breakSpace || unquotable || tabs || breaks || indicators),
    singleAllowed: !(breakSpace || unquotable || tabs),
    blockAllowed: !(characters.at(-1) === ' ' || unquotable),
  };
}

/** The longest key libyaml writes without `? `. */
export function isSimpleKey(text: string, analysis: Analysis): boolean {
  return !analysis.multiline && byteLength(text) <= 128;
}
