/** The functions every template has. */

import { sprintf } from '../fmt/format.ts';
import { sprint, sprintln } from '../fmt/print.ts';
import { define, type FuncMap } from '../value/function.ts';
import { isTrue } from '../value/truth.ts';
import { comparison } from './comparison.ts';
import { escaping } from './escaping.ts';
import { indexing } from './indexing.ts';

/** Bodies the executor never runs: it has to evaluate the arguments of these itself. */
const special = () => {
  throw new TypeError('evaluated by the executor');
};

export const builtins: FuncMap = {
  and: define('value, ...value', () => special()),
  or: define('value, ...value', () => special()),
  call: define('value, ...value', () => special()),
  not: define('value', value => !isTrue(value)),
  print: define('...any', (...operands) => sprint(operands)),
  printf: define('string, ...any', (format, ...operands) => sprintf(format, operands)),
  println: define('...any', (...operands) => sprintln(operands)),
  ...comparison,
  ...indexing,
  ...escaping,
};
