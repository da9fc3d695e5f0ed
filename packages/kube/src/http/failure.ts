/** From what undici and Node throw to the codes of `TransportError`. */
import { TransportError } from '../errors.ts';
import type { ApiRequest } from '../transport.ts';

interface Meaning {
  readonly code: string;
  readonly neverSent?: boolean;
  readonly what: string;
}

const MEANINGS: Readonly<Record<string, Meaning>> = {
  ECONNREFUSED: { code: 'ECONNREFUSED', neverSent: true, what: 'nobody listens there (connection refused)' },
  ENOTFOUND: { code: 'ENOTFOUND', neverSent: true, what: 'the host name is not known' },
  EAI_AGAIN: { code: 'ENOTFOUND', neverSent: true, what: 'the host name cannot be looked up at the moment' },
  EHOSTUNREACH: { code: 'EHOSTUNREACH', neverSent: true, what: 'there is no way to the host' },
  ENETUNREACH: { code: 'EHOSTUNREACH', neverSent: true, what: 'there is no way to the network' },
  UND_ERR_CONNECT_TIMEOUT: { code: 'ETIMEDOUT', neverSent: true, what: 'no connection came about in time' },
  UND_ERR_HEADERS_TIMEOUT: { code: 'ETIMEDOUT', what: 'no answer came in time' },
  UND_ERR_BODY_TIMEOUT: { code: 'ETIMEDOUT', what: 'the answer stalled' },
  ETIMEDOUT: { code: 'ETIMEDOUT', what: 'the connection timed out' },
  UND_ERR_SOCKET: { code: 'ECONNRESET', what: 'the connection broke' },
  ECONNRESET: { code: 'ECONNRESET', what: 'the connection was reset' },
  EPIPE: { code: 'ECONNRESET', what: 'the connection was closed while sending' },
  UND_ERR_RES_EXCEEDED_MAX_SIZE: { code: 'ETOOLARGE', what: 'the answer is larger than `largestResponse` allows' },
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: { code: 'ECONNRESET', what: 'the answer ended too early' },
  UND_ERR_DESTROYED: { code: 'ECLOSED', what: 'the transport was closed' },
  UND_ERR_CLOSED: { code: 'ECLOSED', neverSent: true, what: 'the transport was closed' },
  UND_ERR_PRX_CONN: { code: 'EPROXY', neverSent: true, what: 'the proxy did not connect' },
  UND_ERR_PRX_TLS: { code: 'EPROXY', neverSent: true, what: 'the connection to the proxy is not secure' },
};

/** Certificate checks and handshakes have dozens of codes; to the caller they are one thing: not trusted, nothing sent. */
const TLS_CODES =
  /^(ERR_TLS_|ERR_SSL_|ERR_OSSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|EPROTO)/;

export function transportFailure(error: unknown, request: ApiRequest, server: string): TransportError {
  if (error instanceof TransportError) return error;
  // Its error carries the bytes that it could not read, which are nobody's business.
  if (error instanceof Error && error.name === 'HTTPParserError') {
    return new TransportError('EBADHTTP', `${request.method} ${request.path} at ${server}: the answer is not HTTP`);
  }
  const { code = '', detail } = causeOf(error);
  const meaning = MEANINGS[code] ?? otherMeaning(code, detail);
  const suffix = meaning.what.includes(detail) || code in MEANINGS ? '' : `: ${detail}`;
  return new TransportError(meaning.code, `${request.method} ${request.path} at ${server}: ${meaning.what}${suffix}`, {
    cause: error,
    neverSent: meaning.neverSent ?? false,
  });
}

function otherMeaning(code: string, detail: string): Meaning {
  if (TLS_CODES.test(code)) return { code: 'ETLS', neverSent: true, what: 'the connection cannot be made secure' };
  return { code: code || 'EUNKNOWN', what: detail };
}

/** The first error with a code: undici wraps those of the socket, and Node those of several addresses. */
function causeOf(error: unknown): { code?: string; detail: string } {
  for (let current = error; current instanceof Error; current = current.cause) {
    const { code } = current as { code?: unknown };
    if (typeof code === 'string') return { code, detail: current.message };
  }
  return { detail: error instanceof Error ? error.message : String(error) };
}
