import { describe, expect, test } from 'vitest';
import { FORMAT_CASES } from './formats.cases.fixture.ts';
import { formatCheck, isEnforcedFormat } from './formats.ts';

describe.each(Object.entries(FORMAT_CASES))('format %s', (format, { valid, invalid }) => {
  const { isFormat } = formatCheck(format, ['string']);
  test.each(valid)('%j has it', text => expect(isFormat!(text)).toBe(true));
  test.each(invalid)('%j has not', text => expect(isFormat!(text)).toBe(false));
});

test('dashes in a name do not count, unknown formats are documentation, formats belong to a type', () => {
  expect(formatCheck('datetime', ['string']).isFormat!('2026-11-15T22:00:00Z')).toBe(true);
  expect(formatCheck('fancy', ['string'])).toEqual({ format: '', isFormat: undefined });
  expect(isEnforcedFormat('int32', ['integer'])).toBe(true);
  expect(isEnforcedFormat('int32', ['string'])).toBe(false);
  expect(isEnforcedFormat('date', ['object'])).toBe(false);
});

test('no text can keep a check busy', () => {
  const hostile = [
    'a'.repeat(100_000),
    `${'a.'.repeat(50_000)}!`,
    `${'a@'.repeat(50_000)}`,
    '1'.repeat(100_000),
    `"${'\\a'.repeat(50_000)}`,
  ];
  for (const format of Object.keys(FORMAT_CASES)) {
    for (const text of hostile) formatCheck(format, ['string']).isFormat!(text);
  }
});
