import { addresses } from './addresses.ts';
import { arithmetic } from './arithmetic.ts';
import { conversions } from './conversions.ts';
import { formats } from './formats.ts';
import { lists } from './lists.ts';
import { operators } from './operators.ts';
import { optionals } from './optionals.ts';
import type { Overload } from './overload.ts';
import { quantities } from './quantities.ts';
import { regex } from './regex.ts';
import { semvers } from './semvers.ts';
import { sets } from './sets.ts';
import { strings } from './strings.ts';
import { times } from './times.ts';
import { urls } from './urls.ts';

const languages = [operators, arithmetic, conversions, strings, times, optionals];
const kubernetes = [lists, sets, regex, urls, addresses, quantities, semvers, formats];

/** Every function a rule may call, by name, in the order overloads are tried. */
export const functions: ReadonlyMap<string, readonly Overload[]> = Map.groupBy(
  [...languages, ...kubernetes].flat(),
  overload => overload.name,
);
