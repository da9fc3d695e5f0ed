import { Opaque } from './opaque.ts';

/** A URL taken apart the way Go's `net/url` does, which is stricter and plainer than a browser. */
export class URLValue extends Opaque {
  readonly typeName = 'kubernetes.URL';
  readonly scheme: string;
  /** Host and port. */
  readonly host: string;
  readonly userInfo: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
  readonly opaquePart: string;

  constructor(parts: URLParts) {
    super();
    this.scheme = parts.scheme;
    this.host = parts.host;
    this.userInfo = parts.userInfo;
    this.path = parts.path;
    this.query = parts.query;
    this.fragment = parts.fragment;
    this.opaquePart = parts.opaquePart;
  }

  override equals(other: Opaque): boolean {
    return (
      other instanceof URLValue &&
      this.scheme === other.scheme &&
      this.host === other.host &&
      this.userInfo === other.userInfo &&
      this.escapedPath === other.escapedPath &&
      this.query === other.query &&
      this.fragment === other.fragment &&
      this.opaquePart === other.opaquePart
    );
  }

  get hostname(): string {
    const bracketed = /^\[(.*)\](?::\d*)?$/s.exec(this.host);
    return bracketed ? bracketed[1]! : this.host.replace(/:\d*$/, '');
  }

  get port(): string {
    return /:(\d*)$/.exec(this.host.replace(/^\[.*\]/s, ''))?.[1] ?? '';
  }

  /** The path as it was written where that is valid, else with everything escaped that has to be. */
  get escapedPath(): string {
    if (/^[\w\-.~$&+,/:;=@!'()*[\]%]*$/.test(this.path)) return this.path;
    const bytes = Buffer.from(percentDecode(this.path) ?? this.path, 'latin1');
    return Array.from(bytes, byte => {
      const character = String.fromCharCode(byte);
      return /[\w\-.~$&+,/:;=@]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    }).join('');
  }
}

export interface URLParts {
  readonly scheme: string;
  readonly host: string;
  readonly userInfo: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
  readonly opaquePart: string;
}

/** An absolute URL or an absolute path; `undefined` for anything else. */
export function parseURL(text: string): URLValue | undefined {
  const whole = parseParts(text);
  if (!whole) return undefined;
  const hash = text.indexOf('#');
  if (hash < 0) return new URLValue(whole);
  const fragment = text.slice(hash + 1);
  const parts = parseParts(text.slice(0, hash));
  if (!parts || percentDecode(fragment) === undefined) return undefined;
  return new URLValue({ ...parts, fragment });
}

function parseParts(text: string): URLParts | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must not be there
  if (text === '' || /[\u0000-\u001f\u007f]/.test(text)) return undefined;
  const empty = { scheme: '', host: '', userInfo: '', path: '', query: '', fragment: '', opaquePart: '' };
  if (text === '*') return { ...empty, path: '*' };
  if (text.startsWith(':')) return undefined;
  const [, givenScheme] = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text) ?? [];
  const scheme = givenScheme?.toLowerCase() ?? '';
  const afterScheme = givenScheme === undefined ? text : text.slice(givenScheme.length + 1);
  const question = afterScheme.indexOf('?');
  const query = question < 0 ? '' : afterScheme.slice(question + 1);
  const rest = question < 0 ? afterScheme : afterScheme.slice(0, question);
  if (!rest.startsWith('/')) return scheme === '' ? undefined : { ...empty, scheme, query, opaquePart: rest };
  if (scheme === '' || !rest.startsWith('//')) {
    return percentDecode(rest) === undefined ? undefined : { ...empty, scheme, path: rest, query };
  }
  const slash = rest.indexOf('/', 2);
  const authority = parseAuthority(slash < 0 ? rest.slice(2) : rest.slice(2, slash));
  const path = slash < 0 ? '' : rest.slice(slash);
  if (!authority || percentDecode(path) === undefined) return undefined;
  return { ...empty, scheme, ...authority, path, query };
}

function parseAuthority(text: string): { readonly host: string; readonly userInfo: string } | undefined {
  const at = text.lastIndexOf('@');
  const userInfo = at < 0 ? '' : text.slice(0, at);
  if (!/^[\w\-.:~!$&'()*+,;=%@]*$/.test(userInfo) || percentDecode(userInfo) === undefined) return undefined;
  const host = parseHost(text.slice(at + 1));
  return host === undefined ? undefined : { host, userInfo };
}

function parseHost(text: string): string | undefined {
  if (text.startsWith('[')) {
    const close = text.lastIndexOf(']');
    if (close < 0 || !/^(?::\d*)?$/.test(text.slice(close + 1))) return undefined;
  } else if (text.includes(':') && !/:\d*$/.test(text)) {
    return undefined;
  }
  // Escapes in a host may only stand for bytes above ASCII, or for the percent sign of a zone.
  if (!/^(?:[\w\-.~!$&'()*+,;=:[\]<>"]|[\u0080-\uffff]|%25|%[89a-fA-F][0-9a-fA-F])*$/.test(text)) return undefined;
  const decoded = percentDecode(text);
  return decoded === undefined ? undefined : Buffer.from(decoded, 'latin1').toString('utf8');
}

/** The bytes behind the escapes, one character each; `undefined` where a percent sign starts no escape. */
export function percentDecode(text: string): string | undefined {
  if (/%(?![0-9a-fA-F]{2})/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  return bytes.replace(/%([0-9a-fA-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
