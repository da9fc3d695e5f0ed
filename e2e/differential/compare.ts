import type { Normalised } from './normalise.ts';

/** One place at which two servers answered a step differently. */
export interface Difference {
  readonly step: string;
  /** JSON pointer into the normalised answer: `/body/metadata/generation`. */
  readonly pointer: string;
  /** Undefined where there is nothing. */
  readonly real: unknown;
  readonly ours: unknown;
}

/** All places at which our answers are not the real ones. The order of keys does not count, that of lists does. */
export function compare(real: readonly Normalised[], ours: readonly Normalised[]): Difference[] {
  return real.flatMap((expected, index) => {
    const { title, request: _, ...wanted } = expected;
    const { title: __, request: ___, ...got } = ours[index] ?? { title: '', request: '' };
    return [...differences('', wanted, got)].map(difference => ({ step: title, ...difference }));
  });
}

function* differences(pointer: string, real: unknown, ours: unknown): Generator<Omit<Difference, 'step'>> {
  if (Object.is(real, ours)) return;
  if (!isContainer(real) || !isContainer(ours) || Array.isArray(real) !== Array.isArray(ours)) {
    yield { pointer, real, ours };
    return;
  }
  for (const key of new Set([...Object.keys(real), ...Object.keys(ours)])) {
    yield* differences(`${pointer}/${escapeKey(key)}`, valueAt(real, key), valueAt(ours, key));
  }
}

const isContainer = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const valueAt = (container: Readonly<Record<string, unknown>>, key: string): unknown =>
  Object.hasOwn(container, key) ? container[key] : undefined;

const escapeKey = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** A difference as two lines that a person can read. */
export function describeDifference({ step, pointer, real, ours }: Difference): string {
  return `${step}\n  ${pointer}\n    real: ${shorten(real)}\n    ours: ${shorten(ours)}`;
}

function shorten(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}
