/** Formats `uri` and `email`: what Go's net/url.ParseRequestURI and net/mail.ParseAddress accept. */

/** An absolute URI or an absolute path. */
export function isUri(text: string): boolean {
  if (text === '' || hasControl(text) || /%(?![0-9a-fA-F]{2})/.test(pathOf(text))) return false;
  if (text === '*') return true;
  const colon = text.search(/[^a-zA-Z0-9+.-]/);
  const hasScheme = colon > 0 && text[colon] === ':' && /^[a-zA-Z]/.test(text);
  if (text.startsWith(':')) return false;
  const rest = hasScheme ? text.slice(colon + 1) : text;
  if (!rest.startsWith('/')) return hasScheme && rest !== '' ? true : hasScheme;
  if (!rest.startsWith('//') || (!hasScheme && rest.startsWith('///'))) return true;
  const authority = /^\/\/([^/?]*)/.exec(rest)![1]!;
  return isAuthority(authority);
}

const pathOf = (text: string): string => text.split('?')[0]!;

function hasControl(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) < 0x20 || text.charCodeAt(i) === 0x7f) return true;
  return false;
}

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf('@');
  if (at >= 0 && !/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(authority.slice(0, at))) return false;
  const host = authority.slice(at + 1);
  if (host.startsWith('[')) return /^\[[0-9a-fA-F:.]+(%25[^\]]+)?\](:[0-9]*)?$/.test(host);
  if (host.indexOf(':') !== host.lastIndexOf(':')) return false;
  if (/:[^:]*$/.test(host) && !/:[0-9]*$/.test(host)) return false;
  return !/[ "<>\\^`{|}[\]]/.test(host);
}

const ATOM = '[^\\s()<>\\[\\]:;@\\\\,."]+';
const DOT_ATOM = `${ATOM}(\\.${ATOM})*`;
const QUOTED = '"([^"\\\\\\r\\n]|\\\\.)*"';
const DOMAIN = `(${DOT_ATOM}|\\[[^\\[\\]\\\\\\s]*\\])`;
const ADDRESS = new RegExp(`^(${DOT_ATOM}|${QUOTED})@${DOMAIN}$`, 'u');

/** `a@b`, or a name in front of `<a@b>`. The longest address is far shorter than the limit, which keeps this bounded. */
export function isEmail(text: string): boolean {
  if (text.length > 2048) return false;
  const trimmed = text.trim();
  const angle = /^([^<>]*)<([^<>]*)>$/.exec(trimmed);
  if (angle === null) return ADDRESS.test(trimmed);
  return !/[()[\]:;@\\,]/.test(angle[1]!.replace(/"[^"]*"/g, '')) && ADDRESS.test(angle[2]!.trim());
}
