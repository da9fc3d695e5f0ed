/** `oci://registry/path/chart:version@sha256:…`, taken apart. */

import { HelmError } from '../errors.ts';

export interface OciReference {
  /** `registry.example.com:5000`. */
  readonly host: string;
  /** `charts/shop`. */
  readonly repository: string;
  /** A version as a tag, where one is named. */
  readonly tag: string | undefined;
  /** `sha256:…`, where the reference is pinned. */
  readonly digest: string | undefined;
}

const pattern =
  /^oci:\/\/([a-zA-Z0-9.-]+(?::[0-9]+)?)\/([a-z0-9]+(?:[._/-]+[a-z0-9]+)*)(?::([\w][\w.+-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?$/;

export function parseOciReference(text: string): OciReference {
  const match = text.length <= 1024 ? pattern.exec(text) : null;
  if (!match) throw new HelmError('NotFound', `invalid reference: ${JSON.stringify(text)}`);
  const [, host, repository, tag, digest] = match as unknown as [string, string, string, string?, string?];
  return { host, repository, tag: tag && tagOf(tag), digest };
}

/** A tag cannot have the `+` of a version's build. */
export const tagOf = (version: string): string => version.replaceAll('+', '_');
export const versionOfTag = (tag: string): string => tag.replaceAll('_', '+');
