/** Where the next page of a list begins, as clients carry it from one request to the next. */
import { syntaxError } from '../schema/json-syntax.ts';
import { badRequest } from '../status.ts';

export interface ContinueToken {
  /** Of the list that the pages show; negative: whatever is newest then. */
  readonly revision: number;
  /** The first key of the page, without what all keys of the list begin with. */
  readonly start: string;
}

const VERSION = 'meta.k8s.io/v1';

/** Kubernetes' own form, so that a client that looks inside is not surprised. */
export function encodeContinue({ revision, start }: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: VERSION, rv: revision, start })).toString('base64url');
}

export function decodeContinue(text: string): ContinueToken {
  const { v, rv, start } = parse(decodeBase64(text));
  if (v !== VERSION) throw refused(`server does not recognize this encoded version ${String(v ?? '')}`.trimEnd());
  if (!Number.isSafeInteger(rv) || rv === 0)
    throw refused(`incorrect encoded start resourceVersion (version ${VERSION})`);
  if (typeof start !== 'string' || start === '') throw refused(`encoded start key empty (version ${VERSION})`);
  return { revision: rv as number, start };
}

const refused = (why: string) => badRequest(`invalid continue token: continue key is not valid: ${why}`);

/** `Buffer` passes over what is no base64; a token with such characters was never ours. */
function decodeBase64(text: string): Buffer {
  const illegal = /[^-_A-Za-z0-9]/.exec(text);
  if (illegal) throw refused(`illegal base64 data at input byte ${illegal.index}`);
  return Buffer.from(text, 'base64url');
}

function parse(bytes: Buffer): { readonly [field: string]: unknown } {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    // Byte by byte, as Go's decoder reads it.
    throw refused(syntaxError(bytes.toString('latin1')));
  }
  if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  throw refused(`json: cannot unmarshal ${typeof value} into Go value of type storage.continueToken`);
}
