/** Operators are calls with these names; errors and overload tables use them as they are. */
export const OPERATOR = {
  conditional: '_?_:_',
  and: '_&&_',
  or: '_||_',
  not: '!_',
  negate: '-_',
  index: '_[_]',
  optionalIndex: '_[?_]',
  optionalSelect: '_?._',
  in: '@in',
  equals: '_==_',
  notEquals: '_!=_',
  add: '_+_',
  notStrictlyFalse: '@not_strictly_false',
} as const;

const BINARY: Readonly<Record<string, string>> = {
  '+': '_+_',
  '-': '_-_',
  '*': '_*_',
  '/': '_/_',
  '%': '_%_',
  '<': '_<_',
  '<=': '_<=_',
  '>': '_>_',
  '>=': '_>=_',
  '==': '_==_',
  '!=': '_!=_',
  in: '@in',
};

export function binaryOperator(token: string): string | undefined {
  return Object.hasOwn(BINARY, token) ? BINARY[token] : undefined;
}
