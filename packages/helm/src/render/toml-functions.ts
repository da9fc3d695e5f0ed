/** `toToml`, `mustToToml` and `fromToml`. */

import { define, type FuncMap, GoError, GoMap } from '@capstan/gotemplate';
import { decodeToml } from './toml-decode.ts';
import { encodeToml } from './toml-encode.ts';

export const tomlFunctions: FuncMap = {
  toToml: define('any', value => {
    try {
      return encodeToml(value);
    } catch (error) {
      if (error instanceof GoError) return error.message;
      throw error;
    }
  }),
  mustToToml: define('any', value => encodeToml(value)),
  fromToml: define('string', text => {
    try {
      return decodeToml(text);
    } catch (error) {
      if (error instanceof GoError) return new GoMap([['Error', error.message]]);
      throw error;
    }
  }),
};
