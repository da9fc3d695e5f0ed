/** Texts that Go reads into values of its own, and what its parsers say when they cannot. Undefined when they can. */

/** `encoding/base64`, standard alphabet with padding; line breaks are skipped. */
export function base64Problem(text: string): string | undefined {
  let digits = 0;
  let index = 0;
  for (; index < text.length; index++) {
    const character = text[index]!;
    if (character === '\n' || character === '\r') continue;
    if (/[A-Za-z0-9+/]/.test(character)) {
      digits++;
      continue;
    }
    return paddingEnds(text, index, digits) ? undefined : illegalBase64(text, index, digits);
  }
  return digits % 4 === 0 ? undefined : `illegal base64 data at input byte ${text.length - (digits % 4)}`;
}

function paddingEnds(text: string, index: number, digits: number): boolean {
  const rest = text.slice(index).replace(/[\r\n]/g, '');
  return (digits % 4 === 2 && rest === '==') || (digits % 4 === 3 && rest === '=');
}

/** Go counts from 0 and points at the character that broke the rule, or behind the last one when padding is missing. */
function illegalBase64(text: string, index: number, digits: number): string {
  const rest = text.slice(index);
  if (digits % 4 === 2 && rest === '=') return `illegal base64 data at input byte ${text.length}`;
  if (digits % 4 === 2 && /^=[^=]/.test(rest)) return `illegal base64 data at input byte ${index + 1}`;
  if (digits % 4 >= 2 && rest.startsWith('=')) {
    return `illegal base64 data at input byte ${index + (digits % 4 === 2 ? 2 : 1)}`;
  }
  return `illegal base64 data at input byte ${index}`;
}

const RFC3339 = '2006-01-02T15:04:05Z07:00';
const RFC3339_MICRO = '2006-01-02T15:04:05.000000Z07:00';

const LAYOUT: readonly (readonly [pattern: RegExp, element: string])[] = [
  [/^\d{4}/, '2006'],
  [/^-/, '-'],
  [/^\d{2}/, '01'],
  [/^-/, '-'],
  [/^\d{2}/, '02'],
  [/^T/, 'T'],
  [/^\d{2}/, '15'],
  [/^:/, ':'],
  [/^\d{2}/, '04'],
  [/^:/, ':'],
  [/^\d{2}/, '05'],
];

const USUAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const USUAL_MICRO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** `time.Parse` with the layout of metav1.Time or, with exactly six digits, of metav1.MicroTime. */
export function timeProblem(text: string, micro: boolean): string | undefined {
  if ((micro ? USUAL_MICRO : USUAL).test(text)) return outOfRange(text);
  const layout = micro ? RFC3339_MICRO : RFC3339;
  let rest = text;
  const cannot = (element: string): string =>
    `parsing time ${JSON.stringify(text)} as ${JSON.stringify(layout)}: cannot parse ${JSON.stringify(rest)} as ${JSON.stringify(element)}`;
  for (const [pattern, element] of LAYOUT) {
    const found = pattern.exec(rest);
    if (found === null) return cannot(element);
    rest = rest.slice(found[0].length);
  }
  const fraction = micro ? /^[.,]\d{6}(?!\d)/.exec(rest) : /^[.,]\d+/.exec(rest);
  if (micro && fraction === null) return cannot('.000000');
  if (fraction !== null) rest = rest.slice(fraction[0].length);
  const zone = /^(?:Z|[+-]\d{2}:\d{2})/.exec(rest);
  if (zone === null) return cannot('Z07:00');
  rest = rest.slice(zone[0].length);
  if (rest !== '') return `parsing time ${JSON.stringify(text)}: extra text: ${JSON.stringify(rest)}`;
  return outOfRange(text);
}

function outOfRange(text: string): string | undefined {
  const part = (start: number, end: number): number => Number(text.slice(start, end));
  const [year, month, day] = [part(0, 4), part(5, 7), part(8, 10)];
  const [hour, minute, second] = [part(11, 13), part(14, 16), part(17, 19)];
  const problem = (what: string): string => `parsing time ${JSON.stringify(text)}: ${what} out of range`;
  if (month < 1 || month > 12) return problem('month');
  if (day < 1 || day > daysIn(year, month)) return problem('day');
  if (hour > 23) return problem('hour');
  if (minute > 59) return problem('minute');
  return second > 59 ? problem('second') : undefined;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** `time.ParseDuration`: `1h30m`. */
export function durationProblem(text: string): string | undefined {
  if (/^[+-]?(0|((\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)$/.test(text)) return undefined;
  const quoted = JSON.stringify(text);
  if (/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) return `time: missing unit in duration ${quoted}`;
  const unit = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))*(?:\d+\.?\d*|\.\d+)([^\d.]+)/.exec(text)?.[1];
  return unit === undefined
    ? `time: invalid duration ${quoted}`
    : `time: unknown unit ${JSON.stringify(unit)} in duration ${quoted}`;
}
