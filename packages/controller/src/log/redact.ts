/** Keeps secrets out of logs. Names give most of them away; some have a shape. */

const SECRET_NAME =
  /pass(word|wd|phrase)?$|token$|secret$|credential|authorization|api-?key|private-?key|client-?key|cookie$|kubeconfig$/i;
const SECRET_SHAPES: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, '$1 [redacted]'],
  [/\b([a-z][a-z0-9+.-]*:\/\/[^\s/:@]+):[^\s/@]+@/gi, '$1:[redacted]@'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[redacted]'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, '[redacted]'],
];
/** Deeper than this is nothing that a log line should hold. */
const DEPTH = 8;

/** A copy in which fields named like secrets, what Secrets hold, and texts shaped like credentials are replaced. */
export function redacted(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactedText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEPTH) return '[…]';
  if (value instanceof Error) return redactedError(value, depth);
  if (Array.isArray(value)) return value.map(item => redacted(item, depth + 1));
  const isSecret = 'kind' in value && value.kind === 'Secret';
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const hidden = isSecret && (name === 'data' || name === 'stringData');
      if (hidden || (SECRET_NAME.test(name) && typeof field !== 'boolean' && field !== undefined))
        return [name, '[redacted]'];
      return [name, redacted(field, depth + 1)];
    }),
  );
}

/** Replaces what looks like a credential inside a text. */
export function redactedText(text: string): string {
  return SECRET_SHAPES.reduce((result, [shape, replacement]) => result.replace(shape, replacement), text);
}

function redactedError(error: Error, depth: number): unknown {
  const { code, reason, request } = error as { code?: unknown; reason?: unknown; request?: unknown };
  return {
    type: error.name,
    message: redactedText(error.message),
    ...(code !== undefined && { code }),
    ...(reason !== undefined && { reason }),
    ...(request !== undefined && { request }),
    ...(error.cause !== undefined && { cause: redacted(error.cause, depth + 1) }),
    ...(error.stack !== undefined && { stack: redactedText(error.stack) }),
  };
}
