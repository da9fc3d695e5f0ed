/** The user of a connection, where its client showed a certificate that is to be believed. */
import type { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { userOfCertificate } from '../authentication/index.ts';
import type { User } from '../request.ts';

const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
const ANY_USAGE = '2.5.29.37.0';

interface Shown {
  readonly user: User;
  /** Milliseconds since the epoch. A connection can outlive its certificate, and a resumed one is not checked again. */
  readonly from: number;
  readonly until: number;
}

/** A connection shows one certificate, once; requests on it are many. */
const shown = new WeakMap<TLSSocket, Shown | null>();

/** Undefined where there is no certificate, or none of the authority, for clients, and in its time: then a token may still do. */
export function certificateUser({ socket }: IncomingMessage, now: number): User | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  let known = shown.get(socket);
  if (known === undefined) shown.set(socket, (known = read(socket)));
  return known && known.from <= now && now < known.until ? known.user : undefined;
}

function read(socket: TLSSocket): Shown | null {
  // `authorized`: the chain ends at the authority that `listen` was given.
  const certificate = socket.authorized ? socket.getPeerX509Certificate() : undefined;
  const user = certificate && isForClients(certificate) ? userOfCertificate(certificate) : undefined;
  if (!user || !certificate) return null;
  return { user, from: certificate.validFromDate.getTime(), until: certificate.validToDate.getTime() };
}

/** One that names no usages may be used for anything, as in Go. */
function isForClients({ keyUsage }: X509Certificate): boolean {
  const usages = keyUsage as readonly string[] | undefined;
  return usages === undefined || usages.includes(CLIENT_AUTH) || usages.includes(ANY_USAGE);
}
