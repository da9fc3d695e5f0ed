import { expect, it } from 'vitest';
import { TerminalSizes } from './terminal-size.ts';

const read = (...parts: string[]) => {
  const sizes = new TerminalSizes();
  return parts.flatMap(part => sizes.read(Buffer.from(part)));
};

it('reads sizes one by one, several at once, and cut into pieces', () => {
  const expected = [
    { columns: 80, rows: 24 },
    { columns: 100, rows: 30 },
  ];
  expect(read('{"Width":80,"Height":24}\n', '{"Width":100,"Height":30}\n')).toEqual(expected);
  expect(read('{"Width":80,"Height":24}{"Width":100,"Height":30}')).toEqual(expected);
  expect(read('{"Wid', 'th":80,"Height":24}{"Width":1', '00,"Height":30}')).toEqual(expected);
});

it.each([
  'nonsense',
  '{}',
  '{"Width":-1,"Height":2}',
  '{"Width":"80","Height":24}',
  '{"Width":1e9,"Height":1}',
  '{bad}',
])('passes over %s', text => expect(read(text, '{"Width":80,"Height":24}').at(-1)).toEqual({ columns: 80, rows: 24 }));

it('holds no more than a size can need', () => {
  expect(read('{'.repeat(100_000), '"Width":80,"Height":24}')).toEqual([]);
});
