/** A name and a password for a repository or registry. Never part of a message. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export function basicAuthorization({ username, password }: Credentials): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
