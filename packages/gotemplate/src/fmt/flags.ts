/** The flags, width and precision between `%` and the verb. */

export interface Flags {
  sharp: boolean;
  zero: boolean;
  plus: boolean;
  minus: boolean;
  space: boolean;
  /** `%#v` and `%+v`, where the flag changes the form of everything inside. */
  sharpV: boolean;
  plusV: boolean;
  width: number | undefined;
  precision: number | undefined;
}

export function noFlags(): Flags {
  return {
    sharp: false,
    zero: false,
    plus: false,
    minus: false,
    space: false,
    sharpV: false,
    plusV: false,
    width: undefined,
    precision: undefined,
  };
}

/** Pads to the width, counted in characters. */
export function pad(flags: Flags, text: string, zero = flags.zero): string {
  if (!flags.width) return text;
  let length = 0;
  for (const _ of text) length++;
  if (length >= flags.width) return text;
  const padding = (zero && !flags.minus ? '0' : ' ').repeat(flags.width - length);
  return flags.minus ? text + padding : padding + text;
}
