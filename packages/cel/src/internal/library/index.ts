import { arithmetic } from './arithmetic.ts';
import { conversions } from './conversions.ts';
import { lists } from './lists.ts';
import { operators } from './operators.ts';
import { optionals } from './optionals.ts';
import type { Overload } from './overload.ts';
import { regex } from './regex.ts';
import { strings } from './strings.ts';

/** Every function a rule may call, by name, in the order overloads are tried. */
export const functions: ReadonlyMap<string, readonly Overload[]> = Map.groupBy(
  [...operators, ...arithmetic, ...conversions, ...strings, ...lists, ...regex, ...optionals],
  overload => overload.name,
);
