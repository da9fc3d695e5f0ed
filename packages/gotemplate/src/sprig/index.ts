/** The functions of sprig 3.3, with the libraries of the versions Helm ships. */

import { GoError } from '../errors.ts';
import { system as realSystem, type System } from '../system.ts';
import { define, type FuncMap } from '../value/function.ts';
import { caseFunctions } from './case.ts';
import { certificateFunctions } from './certificates.ts';
import { dateFunctions } from './dates.ts';
import { defaultFunctions } from './defaults.ts';
import { dictFunctions } from './dicts.ts';
import { encodingFunctions } from './encoding.ts';
import { listFunctions } from './lists.ts';
import { numericFunctions } from './numeric.ts';
import { passwordFunctions } from './passwords.ts';
import { pathFunctions } from './paths.ts';
import { randomFunctions } from './random.ts';
import { regexFunctions } from './regex.ts';
import { semverFunctions } from './semver.ts';
import { stringFunctions } from './strings.ts';
import { urlFunctions } from './urls.ts';
import { wordFunctions } from './words.ts';

export interface SprigOptions {
  /** Time, randomness and the rest of the world. Default: the real ones, without environment and DNS. */
  readonly system?: Partial<System>;
}

/** `$name` and `${name}`, as `os.Expand` finds them; names are short, so that a text full of `${` is no trap. */
const variable = /\$(?:\{([^{}]{1,256})\}|([A-Za-z_][A-Za-z0-9_]*|[*#$@!?\-0-9]))/g;

function worldFunctions(system: System): FuncMap {
  return {
    env: define('string', name => system.environment(name)),
    expandenv: define('string', text =>
      text.replace(variable, (_, braced?: string, bare?: string) => system.environment(braced ?? bare ?? '')),
    ),
    getHostByName: define('string', host => {
      const address = system.resolve(host);
      // Go picks at random from an empty list here, and panics.
      if (address === undefined) throw new GoError('invalid argument to Intn');
      return address;
    }),
  };
}

const pure: FuncMap = {
  ...stringFunctions,
  ...wordFunctions,
  ...caseFunctions,
  ...numericFunctions,
  ...listFunctions,
  ...dictFunctions,
  ...defaultFunctions,
  ...encodingFunctions,
  ...pathFunctions,
  ...regexFunctions,
  ...semverFunctions,
  ...urlFunctions,
};

/** All of sprig's functions, for `new Template(name, { functions: sprig() })`. */
export function sprig(options: SprigOptions = {}): FuncMap {
  const system: System = { ...realSystem, ...options.system };
  return {
    ...pure,
    ...dateFunctions(system),
    ...randomFunctions(system),
    ...passwordFunctions(system),
    ...certificateFunctions(system),
    ...worldFunctions(system),
  };
}
