/** Charts from an HTTP repository, or from the address of an archive. */

import { createHash } from 'node:crypto';
import { HelmError } from '../errors.ts';
import { basicAuthorization, type Credentials } from './credentials.ts';
import { findEntry, parseIndex, type RepositoryIndex } from './index-file.ts';
import { ask, type Transport } from './transport.ts';

export interface HttpSource {
  readonly transport: Transport;
  readonly credentials?: Credentials | undefined;
  /** Send the credentials to other hosts that the index names, too. */
  readonly passCredentials?: boolean | undefined;
  /** Bytes of an index or an archive. */
  readonly limit: number;
}

export async function fetchIndex(repository: string, source: HttpSource): Promise<RepositoryIndex> {
  const url = new URL('index.yaml', withSlash(repository)).href;
  return parseIndex(new TextDecoder().decode(await get(url, source, true)));
}

/** The archive of a chart whose version is in a range, checked against the digest of the index. */
export async function pullFromRepository(
  repository: string,
  name: string,
  range: string,
  source: HttpSource,
): Promise<{ data: Uint8Array; version: string; url: string }> {
  const entry = findEntry(await fetchIndex(repository, source), name, range);
  const url = new URL(entry.urls[0]!, withSlash(repository));
  const trusted = url.host === new URL(repository).host || (source.passCredentials ?? false);
  const data = await get(url.href, source, trusted);
  checkDigest(data, entry.digest, url.href);
  return { data, version: entry.version, url: url.href };
}

export async function pullFromUrl(url: string, source: HttpSource): Promise<Uint8Array> {
  return get(url, source, true);
}

/** Refuses bytes that are not those that were promised. */
export function checkDigest(data: Uint8Array, digest: string, what: string): void {
  if (digest === '') return;
  const found = createHash('sha256').update(data).digest('hex');
  if (found !== digest.replace(/^sha256:/, '')) {
    throw new HelmError('DownloadFailed', `${what} has the digest sha256:${found}, not ${digest}`);
  }
}

async function get(url: string, { transport, credentials, limit }: HttpSource, trusted: boolean): Promise<Uint8Array> {
  const headers = credentials && trusted ? { authorization: basicAuthorization(credentials) } : {};
  const answer = await ask(transport, { url, headers, limit });
  if (answer.status === 404) throw new HelmError('NotFound', `failed to fetch ${url} : 404 Not Found`);
  if (answer.status !== 200) throw new HelmError('DownloadFailed', `failed to fetch ${url} : ${answer.status}`);
  return answer.body;
}

const withSlash = (url: string): string => (url.endsWith('/') ? url : `${url}/`);
