/** A double as Go prints it with the fewest digits: `1.5`, `1e+06`, `+Inf`. */
export function formatDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [mantissa, exponentText] = value.toExponential().split('e') as [string, string];
  const exponent = Number(exponentText);
  return exponent < -4 || exponent >= 6 ? exponential(mantissa, exponent) : String(value);
}

function exponential(mantissa: string, exponent: number): string {
  const sign = exponent < 0 ? '-' : '+';
  return `${mantissa}e${sign}${Math.abs(exponent).toString().padStart(2, '0')}`;
}

/** What Go's `strconv.ParseFloat` reads. */
export function parseDouble(text: string): number | undefined {
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? value : undefined;
  }
  const word = /^([+-]?)(?:inf|infinity)$/i.exec(text);
  if (word) return word[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return /^nan$/i.test(text) ? Number.NaN : undefined;
}
