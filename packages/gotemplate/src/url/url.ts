/** Go's `net/url`: parsing and writing, with its messages. */

import { isIPv4, isIPv6 } from 'node:net';
import { GoError } from '../errors.ts';
import { quote } from '../text/quote.ts';
import { lowerCase } from '../text/unicode.ts';
import { escapeUrl, unescapeUrl } from './escape.ts';

export interface Userinfo {
  readonly username: string;
  readonly password: string | undefined;
}

export interface Url {
  readonly scheme: string;
  readonly opaque: string;
  readonly user: Userinfo | undefined;
  readonly host: string;
  readonly path: string;
  /** The path as it was written, where writing it anew would differ. */
  readonly rawPath?: string | undefined;
  readonly rawQuery: string;
  readonly fragment: string;
}

/** The two halves around the first separator; the second is empty where there is none. */
function cut(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}

export function parseUrl(raw: string): Url {
  const [rest, fragment] = cut(raw, '#');
  const url = attempt(rest, () => parseWithoutFragment(rest));
  return fragment === '' ? url : { ...url, fragment: attempt(raw, () => unescapeUrl(fragment, 'fragment')) };
}

function attempt<T>(shown: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof GoError) throw new GoError(`parse ${quote(shown)}: ${error.message}`);
    throw error;
  }
}

const empty: Url = { scheme: '', opaque: '', user: undefined, host: '', path: '', rawQuery: '', fragment: '' };

function parseWithoutFragment(raw: string): Url {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  if (/[\x00-\x1f\x7f]/.test(raw)) throw new GoError('net/url: invalid control character in URL');
  if (raw === '*') return { ...empty, path: '*' };
  if (raw.startsWith(':')) throw new GoError('missing protocol scheme');
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(raw)?.[1] ?? '';
  const afterScheme = scheme ? raw.slice(scheme.length + 1) : raw;
  let [rest, rawQuery] = cut(afterScheme, '?');
  const lower = lowerCase(scheme);
  if (!rest.startsWith('/')) {
    if (scheme) return { ...empty, scheme: lower, opaque: rest, rawQuery };
    if (cut(rest, '/')[0].includes(':')) throw new GoError('first path segment in URL cannot contain colon');
  }
  let authority: { user: Userinfo | undefined; host: string } = { user: undefined, host: '' };
  if ((scheme || !rest.startsWith('///')) && rest.startsWith('//')) {
    const slash = rest.indexOf('/', 2);
    authority = parseAuthority(lower, slash < 0 ? rest.slice(2) : rest.slice(2, slash));
    rest = slash < 0 ? '' : rest.slice(slash);
  }
  const path = unescapeUrl(rest, 'path');
  const rawPath = escapeUrl(path, 'path') === rest ? undefined : rest;
  return { ...empty, scheme: lower, ...authority, path, rawPath, rawQuery };
}

function parseAuthority(scheme: string, authority: string): { user: Userinfo | undefined; host: string } {
  const at = authority.lastIndexOf('@');
  const host = parseHost(scheme, authority.slice(at + 1));
  if (at < 0) return { user: undefined, host };
  const userinfo = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(userinfo)) throw new GoError('net/url: invalid userinfo');
  const colon = userinfo.indexOf(':');
  const username = unescapeUrl(colon < 0 ? userinfo : userinfo.slice(0, colon), 'userinfo');
  const password = colon < 0 ? undefined : unescapeUrl(userinfo.slice(colon + 1), 'userinfo');
  return { user: { username, password }, host };
}

function checkPort(port: string): void {
  if (!/^(:[0-9]*)?$/.test(port)) throw new GoError(`invalid port ${quote(port)} after host`);
}

function parseHost(scheme: string, host: string): string {
  const open = host.lastIndexOf('[');
  if (open > 0) throw new GoError('invalid IP-literal');
  if (open === 0) return parseLiteral(host);
  const colon = scheme === 'http' || scheme === 'https' ? host.indexOf(':') : host.lastIndexOf(':');
  if (colon >= 0) checkPort(host.slice(colon));
  return unescapeUrl(host, 'host');
}

function parseLiteral(host: string): string {
  const close = host.lastIndexOf(']');
  if (close < 0) throw new GoError("missing ']' in host");
  checkPort(host.slice(close + 1));
  const [address, zone] = cut(host.slice(1, close), '%25');
  const plain = unescapeUrl(address, 'host');
  if (isIPv4(plain)) throw new GoError('invalid IP-literal');
  if (!isIPv6(plain)) throw new GoError(`invalid host: ParseAddr(${quote(plain)}): unable to parse IP`);
  return `[${plain}${zone && `%${unescapeUrl(zone, 'path')}`}]${host.slice(close + 1)}`;
}

/** The host without its port and brackets. */
export function hostname(url: Url): string {
  const port = /:[0-9]*$/.exec(url.host);
  const host = port ? url.host.slice(0, port.index) : url.host;
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
}

export function userinfoText({ username, password }: Userinfo): string {
  const name = escapeUrl(username, 'userinfo');
  return password === undefined ? name : `${name}:${escapeUrl(password, 'userinfo')}`;
}

/** `URL.String()`. */
export function urlText(url: Url): string {
  let out = url.scheme && `${url.scheme}:`;
  if (url.opaque) out += url.opaque;
  else {
    if (url.scheme || url.host || url.user) {
      if (url.host || url.path || url.user) out += '//';
      if (url.user) out += `${userinfoText(url.user)}@`;
      out += escapeUrl(url.host, 'host');
    }
    const path = url.rawPath ?? (url.path === '*' ? '*' : escapeUrl(url.path, 'path'));
    if (path && !path.startsWith('/') && url.host) out += '/';
    if (out === '' && cut(path, '/')[0].includes(':')) out += './';
    out += path;
  }
  if (url.rawQuery) out += `?${url.rawQuery}`;
  return url.fragment ? `${out}#${escapeUrl(url.fragment, 'fragment')}` : out;
}
