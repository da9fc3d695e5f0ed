/** What the text of a scalar means by YAML 1.1 as go-yaml v2 reads it: `yes` is true, `0777` is 511, a date is a date. */

import { readFloat, readInteger, readUnsigned } from '../text/number.ts';
import { parseTime } from '../time/parse.ts';
import { UTC } from '../time/zone.ts';

export type Resolved =
  | { readonly type: 'str'; readonly value: string }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'null' }
  | { readonly type: 'int'; readonly value: bigint }
  | { readonly type: 'float'; readonly value: number }
  | { readonly type: 'timestamp'; readonly value: string }
  | { readonly type: 'merge' };

const words = new Map<string, Resolved>();
const spell = (resolved: Resolved, ...spellings: string[]) => {
  for (const text of spellings) words.set(text, resolved);
};
spell({ type: 'bool', value: true }, 'y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON');
spell({ type: 'bool', value: false }, 'n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF');
spell({ type: 'null' }, '', '~', 'null', 'Null', 'NULL');
spell({ type: 'float', value: Number.NaN }, '.nan', '.NaN', '.NAN');
spell({ type: 'float', value: Infinity }, '.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF');
spell({ type: 'float', value: -Infinity }, '-.inf', '-.Inf', '-.INF');
spell({ type: 'merge' }, '<<');

const floatStyle = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;

const attempt = <T>(parse: () => T): T | undefined => {
  try {
    return parse();
  } catch {
    return undefined;
  }
};

const timestampLayouts = [
  '2006-1-2T15:4:5.999999999Z07:00',
  '2006-1-2t15:4:5.999999999Z07:00',
  '2006-1-2 15:4:5.999999999',
  '2006-1-2',
];

function isTimestamp(text: string): boolean {
  return (
    /^[0-9]{4}-/.test(text) &&
    timestampLayouts.some(layout => attempt(() => parseTime(layout, text, UTC)) !== undefined)
  );
}

/** Go only looks further at texts whose first character could start something else than a string. */
const firstCharacters = /^[-+0-9.yYnNtTfFoO~]/;

/** Resolves a scalar without a tag. `timestamps` is off for a text with a tag of its own. */
export function resolve(text: string, timestamps = true): Resolved {
  if (text !== '' && !firstCharacters.test(text)) return { type: 'str', value: text };
  const word = words.get(text);
  if (word) return word;
  const first = text[0]!;
  if (first === '.') {
    const value = readFloat(text);
    if (typeof value === 'number') return { type: 'float', value };
  } else if (/[-+0-9]/.test(first)) {
    if (timestamps && isTimestamp(text)) return { type: 'timestamp', value: text };
    const value = resolveNumber(text.replaceAll('_', ''));
    if (value) return value;
  }
  return { type: 'str', value: text };
}

function resolveNumber(plain: string): Resolved | undefined {
  // Most integers, without the detour by way of errors.
  if (/^(0|-?[1-9][0-9]{0,17})$/.test(plain)) return { type: 'int', value: BigInt(plain) };
  const signed = readInteger(plain, 0);
  const int = typeof signed === 'bigint' ? signed : readUnsigned(plain, 0);
  if (typeof int === 'bigint') return { type: 'int', value: int };
  if (floatStyle.test(plain)) {
    const float = readFloat(plain);
    if (typeof float === 'number') return { type: 'float', value: float };
  }
  return undefined;
}
