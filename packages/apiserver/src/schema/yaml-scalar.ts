/**
 * What a plain YAML scalar means to Kubernetes: YAML 1.1 as Go's yaml.v2 reads it. `yes` and `on` are true, `0777` is octal,
 * dates and base-60 numbers are text.
 */

const WORDS: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map(word => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map(word => [word, false] as const),
  ...['', '~', 'null', 'Null', 'NULL'].map(word => [word, null] as const),
]);

const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;

export function yamlScalar(text: string): string | number | boolean | null {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  const first = text[0]!;
  if (first === '.') return FLOAT.test(text) ? Number(text) : infinity(text);
  if (!/[-+0-9]/.test(first)) return text;
  const plain = text.replaceAll('_', '');
  const integer = yamlInteger(plain);
  if (integer !== undefined) return integer;
  if (!FLOAT.test(plain)) return infinity(text);
  // A number beyond all numbers is text: Go tries it as one, fails, and takes it as it stands.
  return Number.isFinite(Number(plain)) ? Number(plain) : text;
}

/** Infinity and NaN are numbers in YAML and nothing in JSON. They stay what they are here, to be refused with a reason. */
function infinity(text: string): string | number {
  if (/^[+]?\.(inf|Inf|INF)$/.test(text)) return Number.POSITIVE_INFINITY;
  if (/^-\.(inf|Inf|INF)$/.test(text)) return Number.NEGATIVE_INFINITY;
  return /^\.(nan|NaN|NAN)$/.test(text) ? Number.NaN : text;
}

function yamlInteger(text: string): number | undefined {
  const parts = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))$/.exec(text);
  if (parts === null) return undefined;
  const [, sign, hex, binary, octal, decimal] = parts;
  const prefix = hex !== undefined ? '0x' : binary !== undefined ? '0b' : octal !== undefined ? '0o' : '';
  const magnitude = BigInt(prefix + (hex ?? binary ?? octal ?? decimal!));
  const limit = sign === '-' ? 2n ** 63n : 2n ** 64n - 1n;
  if (magnitude > limit) return undefined;
  return sign === '-' ? -Number(magnitude) : Number(magnitude);
}
