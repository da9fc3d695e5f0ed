const UNITS: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
];

/** In its largest unit: `3d`, `5m`, `0s`. */
export function ageText(milliseconds: number): string {
  const [unit, size] = UNITS.find(([, each]) => milliseconds >= each) ?? UNITS.at(-1)!;
  return `${Math.max(0, Math.floor(milliseconds / size))}${unit}`;
}
