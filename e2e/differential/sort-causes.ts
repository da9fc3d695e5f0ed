interface Cause {
  readonly field?: string;
  readonly message?: string;
}

/**
 * Sorts the causes of a refusal, in the details and in the message.
 *
 * A real server walks the properties of a schema in the order of a Go map, so the order of several mistakes is another each
 * time. Where the message is not the list of causes, nothing is touched.
 */
export function sortCauses(body: unknown): unknown {
  if (!isRefusal(body)) return body;
  const sorted = body.details.causes.toSorted((a, b) => compareTexts(textOf(a), textOf(b)));
  const message = body.message.replace(listOf(body.details.causes), () => listOf(sorted));
  return { ...body, message, details: { ...body.details, causes: sorted } };
}

const textOf = ({ field, message }: Cause): string => `${field}: ${message}`;
const listOf = (causes: readonly Cause[]): string => causes.map(textOf).join(', ');
const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

interface Refusal {
  readonly message: string;
  readonly details: { readonly causes: readonly Cause[] };
}

function isRefusal(body: unknown): body is Refusal {
  const { kind, message, details } = (body ?? {}) as Record<string, unknown>;
  return (
    kind === 'Status' &&
    typeof message === 'string' &&
    Array.isArray((details as { causes?: unknown } | undefined)?.causes)
  );
}
