/** The user that a client certificate names. Whether the certificate is to be believed is for the TLS layer to say. */
import type { X509Certificate } from 'node:crypto';
import type { User } from '../request.ts';

/**
 * The common name is the user, each organization a group. Undefined where there is no common name: then the certificate speaks
 * for nobody.
 */
export function userOfCertificate(certificate: X509Certificate): User | undefined {
  const names = certificate.subject.split('\n').map(attribute);
  // Of several common names the last one counts, as in Go.
  const name = names.filter(([type]) => type === 'CN').at(-1)?.[1];
  if (!name) return undefined;
  const groups = names.filter(([type]) => type === 'O').map(([, value]) => value);
  return {
    name,
    groups: groups.includes('system:authenticated') ? groups : [...groups, 'system:authenticated'],
    extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprint(certificate)}`] },
  };
}

/** A line of Node's form of a subject, `O=system:masters`, in which `\` keeps what follows it from being read as syntax. */
function attribute(line: string): readonly [type: string, value: string] {
  const equals = line.indexOf('=');
  return [line.slice(0, equals), line.slice(equals + 1).replace(/\\(.)/g, '$1')];
}

const fingerprint = ({ fingerprint256 }: X509Certificate): string => fingerprint256.replaceAll(':', '').toLowerCase();
