import { expect, it } from 'vitest';
import { Addresses, loopbackBlock } from './addresses.ts';

it('gives each owner one address, and the same when asked again', () => {
  const addresses = new Addresses(loopbackBlock);
  const given = Array.from({ length: 600 }, (_, n) => addresses.take(`pod ${n}`));
  expect(new Set(given).size).toBe(600);
  expect(addresses.take('pod 7')).toBe(given[7]);
  expect(given.slice(0, 2)).toEqual(['127.64.0.1', '127.64.0.2']);
  expect(given.filter(address => /\.(0|255)$/.test(address))).toEqual([]);
});

it('gives an address that an owner had before, unless another has it now', () => {
  const addresses = new Addresses(loopbackBlock);
  expect(addresses.take('a', '127.80.1.2')).toBe('127.80.1.2');
  expect(addresses.take('b', '127.80.1.2')).toBe('127.64.0.1');
  addresses.release('a');
  expect(addresses.take('c', '127.80.1.2')).toBe('127.80.1.2');
});

it.each(['10.0.0.1', '127.0.0.1', '127.128.0.0', 'nonsense', '127.64.0'])(
  'takes no address from elsewhere: %s',
  before => {
    expect(new Addresses(loopbackBlock).take('a', before)).toBe('127.64.0.1');
  },
);

it('goes round at the end of the block', () => {
  const addresses = new Addresses({ first: [127, 64, 0, 0], count: 256 }, 254);
  expect([addresses.take('a'), addresses.take('b')]).toEqual(['127.64.0.254', '127.64.0.1']);
  expect(() => Array.from({ length: 256 }, (_, n) => addresses.take(`x${n}`))).toThrow('all 256 addresses');
});
