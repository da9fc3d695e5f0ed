import { describe, expect, it } from 'vitest';
import { hostCheck } from './host-names.ts';

const isOurs = hostCheck(['0.0.0.0', 'api.test']);
const asks = (host: string | undefined, localAddress = '127.0.0.1'): boolean => isOurs({ host, localAddress });

describe('the names of a server', () => {
  it.each([
    ...['localhost', 'localhost:6443', 'LOCALHOST.:7000', '127.0.0.1:6443', '127.8.9.10', '[::1]:6443', '[::1]'],
    ...['kubernetes', 'kubernetes.default.svc:443', 'kubernetes.default.svc.cluster.local', 'api.test', 'API.test:1'],
  ])('%s is one', host => {
    expect(asks(host)).toBe(true);
  });

  it.each([
    ...['evil.example', 'evil.example:6443', 'localhost.evil.example', '127.0.0.1.evil.example', 'api.test.evil', ''],
    ...['10.0.0.1', '1270.0.0.1', '[::2]:6443', 'localhost:6443@evil', 'kubernetes.evil', 'xapi.test', undefined],
  ])('%s is none', host => {
    expect(asks(host)).toBe(false);
  });

  it('the address that a connection came in on is one, in either form', () => {
    expect(asks('10.1.2.3:6443', '10.1.2.3')).toBe(true);
    expect(asks('10.1.2.3:6443', '::ffff:10.1.2.3')).toBe(true);
    expect(asks('[fd00::1]:6443', 'fd00::1')).toBe(true);
    expect(asks('10.1.2.4:6443', '10.1.2.3')).toBe(false);
  });
});
