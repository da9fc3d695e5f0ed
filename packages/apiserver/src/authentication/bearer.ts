import type { ServerRequest } from '../request.ts';

/** The token of an Authorization header, read as Kubernetes reads it: anything behind a second space is ignored. */
export function bearerToken(headers: ServerRequest['headers']): string | undefined {
  const [scheme, token] = (headers['authorization'] ?? '').trim().split(' ', 2);
  return scheme?.toLowerCase() === 'bearer' && token ? token : undefined;
}
