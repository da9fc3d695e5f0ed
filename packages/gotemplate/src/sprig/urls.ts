import { GoError } from '../errors.ts';
import { hostname, parseUrl, type Url, urlText, userinfoText } from '../url/url.ts';
import { define, type FuncMap } from '../value/function.ts';
import { GoMap, kindOf } from '../value/values.ts';

function explain<T>(what: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof GoError) throw new GoError(`${what}: ${error.message}`);
    throw error;
  }
}

function urlParse(text: string): GoMap {
  const url = explain('unable to parse url', () => parseUrl(text));
  return new GoMap(
    Object.entries({
      scheme: url.scheme,
      host: url.host,
      hostname: hostname(url),
      path: url.path,
      query: url.rawQuery,
      opaque: url.opaque,
      fragment: url.fragment,
      userinfo: url.user ? userinfoText(url.user) : '',
    }),
  );
}

function part(map: GoMap, key: string): string {
  if (!map.has(key)) return '';
  const value = map.get(key);
  if (value === null) throw new GoError('runtime error: invalid memory address or nil pointer dereference');
  if (typeof value !== 'string') {
    throw new GoError(`unable to parse ${key} key, must be of type string, but ${kindOf(value)} found`);
  }
  return value;
}

function urlJoin(map: GoMap): string {
  const url: Url = {
    scheme: part(map, 'scheme'),
    host: part(map, 'host'),
    path: part(map, 'path'),
    rawQuery: part(map, 'query'),
    opaque: part(map, 'opaque'),
    fragment: part(map, 'fragment'),
    user: undefined,
  };
  const userinfo = part(map, 'userinfo');
  if (userinfo === '') return urlText(url);
  const { user } = explain('unable to parse userinfo in dict', () => parseUrl(`proto://${userinfo}@host`));
  return urlText({ ...url, user });
}

export const urlFunctions: FuncMap = {
  urlParse: define('string', urlParse),
  urlJoin: define('map', urlJoin),
};
