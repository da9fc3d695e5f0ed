/** What Go's client says when a call fails: operators know these sentences, and search for them. */
import { goQuote } from '../schema/go-text.ts';
import { DEADLINE_EXCEEDED } from './call.ts';

interface NodeError extends Error {
  readonly code?: string;
  /** Of a certificate that is for someone else: whom it should be for. */
  readonly host?: string;
  readonly cert?: { readonly subjectaltname?: string };
}

const UNKNOWN_AUTHORITY = 'tls: failed to verify certificate: x509: certificate signed by unknown authority';

/** A failure before there was an answer. */
export function describeFailure(error: NodeError, host: string, port: number): string {
  const dial = `dial tcp ${host}:${port}: connect`;
  switch (error.code) {
    case 'ABORT_ERR':
      return DEADLINE_EXCEEDED;
    case 'ECONNREFUSED':
      return `${dial}: connection refused`;
    case 'EHOSTUNREACH':
      return `${dial}: no route to host`;
    case 'ENETUNREACH':
      return `${dial}: network is unreachable`;
    case 'ETIMEDOUT':
      return `dial tcp ${host}:${port}: i/o timeout`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `dial tcp: lookup ${host}: no such host`;
    case 'ECONNRESET':
      return 'EOF';
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'CERT_SIGNATURE_FAILURE':
      return UNKNOWN_AUTHORITY;
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return 'tls: failed to verify certificate: x509: certificate has expired or is not yet valid';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `tls: failed to verify certificate: x509: ${otherName(error)}`;
    default:
      return error.code?.startsWith('HPE_') ? 'net/http: HTTP/1.x transport connection broken' : error.message;
  }
}

function otherName({ cert, host }: NodeError): string {
  const names = (cert?.subjectaltname ?? '').split(', ').map(name => name.replace(/^(DNS|IP Address):/, ''));
  return `certificate is valid for ${names.join(', ')}, not ${host}`;
}

function statusMessage(body: string): string | undefined {
  try {
    const { kind, apiVersion, status, message } = (JSON.parse(body) ?? {}) as Record<string, unknown>;
    return kind === 'Status' && apiVersion === 'v1' && status !== 'Success' && message ? String(message) : undefined;
  } catch {
    return undefined;
  }
}

const SAID: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  409: 'the server reported a conflict',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};

/** An answer with a code that means there is none. Only a text, or a Status, is taken for an explanation. */
export function describeStatus(code: number, contentType: string | undefined, body: string): string {
  const status = statusMessage(body);
  if (status !== undefined) return status;
  const explanation = contentType?.startsWith('text/') ? body.trim() : 'unknown';
  if (SAID[code] !== undefined) return SAID[code];
  if (code === 403 || code === 415) return explanation;
  if (code < 500) return `the server responded with the status code ${code} but did not return more information`;
  return `an error on the server (${goQuote(explanation)}) has prevented the request from succeeding`;
}
