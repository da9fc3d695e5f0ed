/** What `capstan up` is made of, beside the API server. */
export const PARTS = ['controllers', 'node'] as const;

export type Part = (typeof PARTS)[number];

export interface PartOptions {
  /** `controllers,node`. */
  readonly only?: string;
  /** `--no-node`. */
  readonly node?: boolean;
}

/** The parts that were asked for. */
export function chosenParts({ only, node = true }: PartOptions): ReadonlySet<Part> {
  const named = only === undefined ? PARTS : only.split(',').map(name => name.trim());
  const unknown = named.filter(name => !isPart(name));
  if (unknown.length > 0) {
    throw new Error(`--only ${only}: there is no part "${unknown[0]}". There are: ${PARTS.join(', ')}.`);
  }
  return new Set(named.filter(isPart).filter(part => part !== 'node' || node));
}

function isPart(name: string): name is Part {
  return PARTS.some(part => part === name);
}
