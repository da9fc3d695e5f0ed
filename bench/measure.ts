/** What a benchmark gives: a number of ours beside a peer's, from the same run on the same machine. */
export interface Measure {
  readonly name: string;
  readonly ours: number;
  /** Missing where the peer could not be run; `note` says why. */
  readonly peer?: number | undefined;
  readonly peerName?: string | undefined;
  readonly unit: string;
  /** How many times better ours is: above 1 is better, whichever way the unit counts. */
  readonly ratio?: number | undefined;
  /** What we want, in words: `≥ 1.5×`, `≤ 5 ms`. */
  readonly aim: string;
  readonly met?: boolean | undefined;
  readonly note?: string | undefined;
}

export interface BenchOptions {
  /** Progress goes here, results do not. */
  readonly log: (line: string) => void;
}

export interface Comparison {
  readonly name: string;
  readonly unit: string;
  readonly better: 'higher' | 'lower';
  readonly ours: number;
  readonly peer?: number | undefined;
  readonly peerName?: string | undefined;
  readonly note?: string | undefined;
  /** How many times better than the peer. */
  readonly ratioAim?: number | undefined;
  /** No more than this, in the unit itself. */
  readonly limit?: number | undefined;
}

/** Works out the ratio and whether the aim is met. */
export function compare(comparison: Comparison): Measure {
  const { name, unit, better, ours, peer, peerName, note, ratioAim, limit } = comparison;
  const ratio = peer === undefined ? undefined : better === 'higher' ? ours / peer : peer / ours;
  const aim = limit !== undefined ? `≤ ${limit} ${unit}` : `≥ ${ratioAim}×`;
  const met = limit !== undefined ? ours <= limit : ratio === undefined ? undefined : ratio >= (ratioAim ?? 1);
  return { name, ours, peer, peerName, unit, ratio, aim, met, note };
}

/** One line for people. */
export function line({ name, ours, peer, peerName, unit, ratio, aim, met, note }: Measure): string {
  const number = (value: number): string => (value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2));
  const beside = peer === undefined ? '' : ` · ${peerName} ${number(peer)} ${unit} · ${ratio!.toFixed(2)}×`;
  const verdict = met === undefined ? 'not compared' : met ? 'met' : 'NOT MET';
  return `${name}: ${number(ours)} ${unit}${beside} · aim ${aim}: ${verdict}${note === undefined ? '' : ` (${note})`}`;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)]!;
}
