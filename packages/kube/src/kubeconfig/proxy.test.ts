import { describe, expect, it } from 'vitest';
import { proxyFromEnvironment } from './proxy.ts';

const proxy = 'http://proxy:3128';

describe('the proxy that the environment wants', () => {
  it.each([
    ['https://api.example.com', { HTTPS_PROXY: proxy }, proxy],
    ['https://api.example.com', { https_proxy: 'proxy:3128' }, proxy],
    ['https://api.example.com', { HTTP_PROXY: proxy }, undefined],
    ['http://api.example.com', { HTTP_PROXY: proxy }, proxy],
    ['https://api.example.com', {}, undefined],
    ['https://localhost:6443', { HTTPS_PROXY: proxy }, undefined],
    ['https://127.0.0.1:6443', { HTTPS_PROXY: proxy }, undefined],
    ['https://[::1]:6443', { HTTPS_PROXY: proxy }, undefined],
    ['https://10.0.0.1', { HTTPS_PROXY: 'socks5://p:1080' }, 'socks5://p:1080'],
  ])('for %s in %o is %s', (server, environment, expected) => {
    expect(proxyFromEnvironment(server, environment)).toBe(expected);
  });

  it.each([
    ['*', 'api.example.com', true],
    ['example.com', 'api.example.com', true],
    ['example.com', 'example.com', true],
    ['.example.com', 'api.example.com', true],
    ['.example.com', 'example.com', false],
    ['*.example.com', 'api.example.com', true],
    ['ample.com', 'example.com', false],
    ['a, EXAMPLE.com ', 'example.com', true],
    ['example.com:443', 'example.com', true],
    ['example.com:8443', 'example.com', false],
    ['10.0.0.1', '10.0.0.1', true],
    ['10.0.0.0/8', '10.1.2.3', true],
    ['10.0.0.0/8', '11.1.2.3', false],
    ['10.0.0.0/8', 'example.com', false],
    ['fd00::/8', '[fd00::1]', true],
    ['fd00::1', '[fd00::1]', true],
    ['', 'example.com', false],
  ])('is not used when NO_PROXY is "%s" and the host %s: %s', (NO_PROXY, host, exempt) => {
    const used = proxyFromEnvironment(`https://${host}`, { HTTPS_PROXY: proxy, NO_PROXY });
    expect(used).toBe(exempt ? undefined : proxy);
  });
});
