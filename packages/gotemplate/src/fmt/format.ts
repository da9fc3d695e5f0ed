/** `fmt.Sprintf`, its complaints included: `%!d(string=x)`, `%!s(MISSING)`, `%!(EXTRA int=1)`. */

import { Int, typeOf, type Value } from '../value/values.ts';
import { type Flags, noFlags } from './flags.ts';
import { formatOperand } from './printer.ts';

/** Go's bound on widths and precisions, which also keeps `%999999999d` from filling memory. */
const tooLarge = 1e6;

export function sprintf(format: string, operands: readonly Value[]): string {
  return new Formatting(format, operands).run();
}

const flagOf: Record<string, 'sharp' | 'zero' | 'plus' | 'minus' | 'space'> = {
  '#': 'sharp',
  '0': 'zero',
  '+': 'plus',
  '-': 'minus',
  ' ': 'space',
};

class Formatting {
  readonly #format: string;
  readonly #operands: readonly Value[];
  #position = 0;
  #next = 0;
  #reordered = false;
  #goodIndex = true;
  #out = '';

  constructor(format: string, operands: readonly Value[]) {
    this.#format = format;
    this.#operands = operands;
  }

  run(): string {
    while (this.#position < this.#format.length) {
      const percent = this.#format.indexOf('%', this.#position);
      if (percent < 0) {
        this.#out += this.#format.slice(this.#position);
        break;
      }
      this.#out += this.#format.slice(this.#position, percent);
      this.#position = percent + 1;
      this.#directive();
    }
    if (!this.#reordered && this.#next < this.#operands.length) this.#out += this.#extra();
    return this.#out;
  }

  #directive(): void {
    const flags = noFlags();
    this.#goodIndex = true;
    for (;;) {
      const name = flagOf[this.#format[this.#position] ?? ''];
      if (!name) break;
      flags[name] = true;
      this.#position++;
    }
    let afterIndex = this.#index();
    if (this.#format[this.#position] === '*') {
      this.#position++;
      this.#starWidth(flags);
      afterIndex = false;
    } else {
      flags.width = this.#number();
      if (afterIndex && flags.width !== undefined) this.#goodIndex = false;
    }
    if (this.#format[this.#position] === '.' && this.#position + 1 < this.#format.length) {
      this.#position++;
      if (afterIndex) this.#goodIndex = false;
      afterIndex = this.#index();
      if (this.#format[this.#position] === '*') {
        this.#position++;
        this.#starPrecision(flags);
        afterIndex = false;
      } else flags.precision = this.#number() ?? 0;
    }
    if (!afterIndex) this.#index();
    const code = this.#format.codePointAt(this.#position);
    if (code === undefined) this.#out += '%!(NOVERB)';
    else {
      const verb = String.fromCodePoint(code);
      this.#position += verb.length;
      this.#out += this.#verb(flags, verb);
    }
  }

  #verb(flags: Flags, verb: string): string {
    if (verb === '%') return '%';
    if (!this.#goodIndex) return `%!${verb}(BADINDEX)`;
    if (this.#next >= this.#operands.length) return `%!${verb}(MISSING)`;
    const operand = this.#operands[this.#next++];
    if (verb === 'v') {
      flags.sharpV = flags.sharp;
      flags.plusV = flags.plus;
      flags.sharp = false;
      flags.plus = false;
    }
    return formatOperand(flags, operand, verb);
  }

  /** Digits as a number; an absurd one swallows the rest of the format, as in Go. */
  #number(): number | undefined {
    const digits = /^[0-9]*/.exec(this.#format.slice(this.#position, this.#position + 16))![0];
    if (digits === '') return undefined;
    if (digits.length > 7 || Number(digits.slice(0, -1)) > tooLarge) {
      this.#position = this.#format.length;
      return undefined;
    }
    this.#position += digits.length;
    return Number(digits);
  }

  #integerOperand(): number | undefined {
    if (this.#next >= this.#operands.length) return undefined;
    const operand = this.#operands[this.#next++];
    if (!(operand instanceof Int)) return undefined;
    const value = Number(operand.value);
    return Math.abs(value) > tooLarge ? undefined : value;
  }

  #starWidth(flags: Flags): void {
    const width = this.#integerOperand();
    if (width === undefined) this.#out += '%!(BADWIDTH)';
    else if (width < 0) {
      flags.minus = true;
      flags.zero = false;
      flags.width = -width;
    } else flags.width = width;
  }

  #starPrecision(flags: Flags): void {
    const precision = this.#integerOperand();
    if (precision === undefined || precision < 0) this.#out += '%!(BADPREC)';
    else flags.precision = precision;
  }

  /** An explicit operand index `[n]`. */
  #index(): boolean {
    if (this.#format[this.#position] !== '[') return false;
    this.#reordered = true;
    const close = this.#format.indexOf(']', this.#position);
    if (close < 0 || this.#format.length - this.#position < 3) {
      this.#goodIndex = false;
      this.#position++;
      return false;
    }
    const digits = this.#format.slice(this.#position + 1, close);
    this.#position = close + 1;
    if (!/^[0-9]{1,7}$/.test(digits)) {
      this.#goodIndex = false;
      return false;
    }
    const index = Number(digits) - 1;
    if (index < 0 || index >= this.#operands.length) {
      this.#goodIndex = false;
      return true;
    }
    this.#next = index;
    return true;
  }

  #extra(): string {
    const rest = this.#operands.slice(this.#next).map(operand => {
      const type = typeOf(operand);
      return type ? `${type.name}=${formatOperand(noFlags(), operand, 'v')}` : '<nil>';
    });
    return `%!(EXTRA ${rest.join(', ')})`;
  }
}
