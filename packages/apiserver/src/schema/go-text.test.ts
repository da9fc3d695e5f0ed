import { expect, test } from 'vitest';
import { goFloat } from './go-text.ts';

test.each([
  [1_000_000, '1e+06'],
  [999_999, '999999'],
  [12_345_678.5, '1.23456785e+07'],
  [2_147_483_647, '2.147483647e+09'],
  [0.0001, '0.0001'],
  [0.00001, '1e-05'],
  [-1e21, '-1e+21'],
  [65_535, '65535'],
])('Go prints %d as %s', (value, text) => {
  expect(goFloat(value)).toBe(text);
});
