/**
 * Functions a template can call. A signature in Go's words decides what may be passed, and how the arguments arrive:
 *
 * ```ts
 * define('int, string', (count, text) => text.repeat(count)) // count: number, text: string
 * define('string, ...any', (format, ...rest) => sprintf(format, rest))
 * ```
 *
 * `any` takes every value (nil as `null`); `value` takes what is there without looking, even nothing (`undefined`), as
 * `reflect.Value` does in Go's own built-ins.
 */

import type { Execution } from '../exec/execution.ts';
import * as types from './types.ts';
import type { GoMap, GoObject, GoSlice, Int, Value } from './values.ts';

/** The words of a signature and the native form of each argument. */
interface Native {
  string: string;
  bool: boolean;
  int: number;
  uint32: number;
  int64: bigint;
  float64: number;
  any: Exclude<Value, undefined>;
  value: Value;
  map: GoMap;
  list: GoSlice;
  time: GoObject;
  certificate: GoObject;
  duration: Int;
}

type Word = keyof Native;
type One<W> = W extends Word ? Native[W] : never;
type Arguments<S extends string> = S extends ''
  ? []
  : S extends `...${infer Last}`
    ? One<Last>[]
    : S extends `${infer First}, ${infer Rest}`
      ? [One<First>, ...Arguments<Rest>]
      : [One<S>];

export interface Signature {
  readonly parameters: readonly types.GoType[];
  /** The last parameter takes any number of arguments; its type is that of one of them. */
  readonly variadic: boolean;
}

export type Body = (execution: Execution, args: readonly unknown[]) => Value;

/** A function value. */
export class GoFunc {
  readonly signature: Signature;
  readonly type: types.GoType;
  readonly body: Body;

  /** `results` is what the type's name says after the parameters (`func(int) string`). */
  constructor(signature: Signature, body: Body, results = '') {
    this.signature = signature;
    this.body = body;
    this.type = { name: signatureName(signature) + (results && ` ${results}`), kind: 'func', named: false };
  }

  /** The same function with the results named in its type. */
  returning(results: string): GoFunc {
    return new GoFunc(this.signature, this.body, results);
  }
}

function signatureName({ parameters, variadic }: Signature): string {
  const words = parameters.map((type, index) => (variadic && index === parameters.length - 1 ? '...' : '') + type.name);
  return `func(${words.join(', ')})`;
}

/** Types a package adds to the words of signatures (`time`, `certificate`, …). */
const words = new Map<string, types.GoType>([
  ['string', types.STRING],
  ['bool', types.BOOL],
  ['int', types.INT],
  ['uint32', types.UINT32],
  ['int64', types.INT64],
  ['float64', types.FLOAT64],
  ['any', types.ANY],
  ['value', types.REFLECT_VALUE],
  ['map', types.ANY_MAP],
  ['list', types.ANY_SLICE],
]);

/** Names a type for use in signatures. */
export function nameType(word: Word, type: types.GoType): void {
  words.set(word, type);
}

/** Reads a signature such as `string, ...any`. */
export function parseSignature(text: string): Signature {
  const names = text === '' ? [] : text.split(', ');
  const variadic = names.at(-1)?.startsWith('...') ?? false;
  const parameters = names.map(name => {
    const type = words.get(name.replace('...', ''));
    if (!type) throw new TypeError(`unknown type ${name} in the signature "${text}"`);
    return type;
  });
  return { parameters, variadic };
}

/** A function of its arguments alone. Throw a {@link GoError} where Go returns an error or panics. */
export function define<S extends string>(signature: S, body: (...args: Arguments<S>) => Value): GoFunc {
  const call = body as (...args: readonly unknown[]) => Value;
  return new GoFunc(parseSignature(signature), (_, args) => call(...args));
}

/** A function that also sees the running execution: to run templates, or to charge for what it makes. */
export function defineWith<S extends string>(
  signature: S,
  body: (execution: Execution, ...args: Arguments<S>) => Value,
): GoFunc {
  const call = body as (execution: Execution, ...args: readonly unknown[]) => Value;
  return new GoFunc(parseSignature(signature), (execution, args) => call(execution, ...args));
}

/** A method of a named type. The receiver comes first, then the arguments as the signature says. */
export interface Method {
  readonly signature: Signature;
  readonly body: (receiver: Value, execution: Execution, args: readonly unknown[]) => Value;
}

/** A method, for the `methods` of a type. */
export function method<S extends string, R extends Value>(
  signature: S,
  body: (receiver: R, ...args: Arguments<S>) => Value,
): Method {
  const call = body as unknown as (receiver: Value, ...args: readonly unknown[]) => Value;
  return { signature: parseSignature(signature), body: (receiver, _, args) => call(receiver, ...args) };
}

/** Functions by the name templates call them. */
export type FuncMap = Readonly<Record<string, GoFunc>>;
