import type { Impersonation } from '../transport.ts';

/** Where a transport gets its credentials from: fixed ones, a file that is re-read, a program that is run. */
export interface Credentials {
  /** What to use now. Called for every request, so it has to be quick while nothing has to be renewed. */
  current(): Promise<Credential>;
  /** The server answered 401 to it. True if `current` may have something better now: the request is then sent once more. */
  refused(credential: Credential): Promise<boolean>;
}

/** The same object as long as nothing changed. */
export interface Credential {
  /** Goes into the `Authorization` header, e.g. `Bearer …`. */
  readonly authorization?: string | undefined;
  /** A client certificate and its key, both PEM. */
  readonly certificate?: { readonly certificate: string; readonly key: string } | undefined;
}

/** Credentials that never change. */
export function fixedCredentials(credential: Credential): Credentials {
  return { current: async () => credential, refused: async () => false };
}

export const noCredentials: Credentials = fixedCredentials({});

export function bearer(token: string): string {
  return `Bearer ${token}`;
}

export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** A group that is sent as one header of several values would be taken for one group with commas in its name. */
export function impersonationHeaders(who: Impersonation | undefined): Record<string, string | string[]> {
  if (who === undefined) return {};
  const headers: Record<string, string | string[]> = { 'impersonate-user': who.user };
  if (who.uid !== undefined) headers['impersonate-uid'] = who.uid;
  if (who.groups !== undefined && who.groups.length > 0) headers['impersonate-group'] = [...who.groups];
  for (const [key, values] of Object.entries(who.extra ?? {})) {
    // Header names are of ASCII and without case; the server decodes %XX and makes the rest lower-case.
    headers[`impersonate-extra-${encodeURIComponent(key.toLowerCase())}`] = [...values];
  }
  return headers;
}
