import type { Meter } from '../evaluate/meter.ts';
import { Failure } from '../value/failure.ts';
import { ArrayList } from '../value/list.ts';
import { HashMapping } from '../value/mapping.ts';
import { parseURL, percentDecode, type URLValue } from '../value/url.ts';
import { define, type Overload } from './overload.ts';

export const urls: readonly Overload[] = [
  define('url', 'string_to_url', '(string): kubernetes.URL', ([text]: [string], meter) => {
    meter.build(text.length);
    return parseURL(text) ?? malformed(text);
  }),
  define('isURL', 'is_url_string', '(string): bool', ([text]: [string], meter) => {
    meter.build(text.length);
    return parseURL(text) !== undefined;
  }),
  define('getScheme', 'url_get_scheme', '.(kubernetes.URL): string', ([url]: [URLValue]) => url.scheme),
  define('getHost', 'url_get_host', '.(kubernetes.URL): string', ([url]: [URLValue]) => url.host),
  define('getHostname', 'url_get_hostname', '.(kubernetes.URL): string', ([url]: [URLValue]) => url.hostname),
  define('getPort', 'url_get_port', '.(kubernetes.URL): string', ([url]: [URLValue]) => url.port),
  define('getEscapedPath', 'url_get_escaped_path', '.(kubernetes.URL): string', ([url]: [URLValue], meter) => {
    meter.build(url.path.length * 3);
    return url.escapedPath;
  }),
  define('getQuery', 'url_get_query', '.(kubernetes.URL): map(string, list(string))', ([url]: [URLValue], meter) =>
    parseQuery(url.query, meter),
  ),
];

const malformed = (text: string): Failure =>
  new Failure(
    `URL parse error during conversion from string: parse ${JSON.stringify(text.slice(0, 64))}: invalid URI for request`,
  );

/** Pairs that cannot be read are left out, as Go leaves them out. */
function parseQuery(query: string, meter: Meter): HashMapping {
  meter.build(query.length);
  const values = new Map<string, string[]>();
  for (const pair of query.split('&')) {
    meter.step();
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    const key = decodeQuery(equals < 0 ? pair : pair.slice(0, equals));
    const value = decodeQuery(equals < 0 ? '' : pair.slice(equals + 1));
    if (key === undefined || value === undefined) continue;
    const known = values.get(key);
    if (known) known.push(value);
    else values.set(key, [value]);
  }
  const map = new HashMapping();
  for (const [key, list] of values) map.insert(key, new ArrayList(list));
  return map;
}

function decodeQuery(text: string): string | undefined {
  const bytes = percentDecode(text.replaceAll('+', ' '));
  return bytes === undefined ? undefined : Buffer.from(bytes, 'latin1').toString('utf8');
}
