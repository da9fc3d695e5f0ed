/** What files a volume holds that is made from objects: ConfigMaps, Secrets, the Pod itself, tokens. Pure. */
import type { Container, DownwardItem, KeyProjection, Pod, ProjectedSource, Volume } from '@capstan/kube';
import { podField, resourceField, type Surroundings } from '../environment/downward.ts';
import type { Sources } from '../environment/environment.ts';

export interface VolumeFile {
  readonly content: Uint8Array;
  readonly mode: number;
}

/** By path below the volume. */
export type VolumeFiles = ReadonlyMap<string, VolumeFile>;

/** The volume cannot be made now; shown to the user as FailedMount, and tried again. */
export class VolumeError extends Error {
  override readonly name = 'VolumeError';
}

export interface VolumeContext {
  readonly pod: Pod;
  readonly sources: Sources;
  readonly surroundings: Surroundings;
  /** The token that a projected volume asked for, by its path in the volume. */
  readonly token: (path: string) => string | undefined;
}

const DEFAULT_MODE = 0o644;

/** Undefined: a volume of another sort, which is a directory and not made of files. */
export function volumeFiles(volume: Volume, context: VolumeContext): VolumeFiles | undefined {
  const { configMap, secret, downwardAPI, projected } = volume;
  if (configMap !== undefined) return new Map(configMapFiles(configMap, context, configMap.defaultMode));
  if (secret !== undefined) {
    const { secretName, ...rest } = secret;
    return new Map(
      secretFiles({ ...rest, ...(secretName !== undefined && { name: secretName }) }, context, secret.defaultMode),
    );
  }
  if (downwardAPI !== undefined) return new Map(downwardFiles(downwardAPI.items, context, downwardAPI.defaultMode));
  if (projected === undefined) return undefined;
  return new Map((projected.sources ?? []).flatMap(source => sourceFiles(source, context, projected.defaultMode)));
}

type Files = [string, VolumeFile][];
type Named = { readonly name?: string } & KeyProjection;

function sourceFiles(source: ProjectedSource, context: VolumeContext, mode: number | undefined): Files {
  if (source.configMap !== undefined) return configMapFiles(source.configMap, context, mode);
  if (source.secret !== undefined) return secretFiles(source.secret, context, mode);
  if (source.downwardAPI !== undefined) return downwardFiles(source.downwardAPI.items, context, mode);
  if (source.serviceAccountToken === undefined) return [];
  const { path } = source.serviceAccountToken;
  const token = context.token(path);
  if (token === undefined) throw new VolumeError(`failed to fetch token: no token for ${path} yet`);
  // A token is its reader's alone, whatever the volume says.
  return [[path, { content: Buffer.from(token), mode: 0o600 }]];
}

function configMapFiles({ name = '', items, optional }: Named, { sources, pod }: VolumeContext, mode?: number): Files {
  const found = sources.configMap(name);
  if (found === undefined && !optional) throw missing('configmap', pod, name);
  const contents = new Map<string, Uint8Array>([
    ...Object.entries(found?.data ?? {}).map(([key, text]) => [key, Buffer.from(text)] as const),
    ...Object.entries(found?.binaryData ?? {}).map(([key, text]) => [key, Buffer.from(text, 'base64')] as const),
  ]);
  return chosen(contents, { items, optional, mode, what: `configmap references non-existent config key` });
}

function secretFiles({ name = '', items, optional }: Named, { sources, pod }: VolumeContext, mode?: number): Files {
  const found = sources.secret(name);
  if (found === undefined && !optional) throw missing('secret', pod, name);
  const contents = new Map(
    Object.entries(found?.data ?? {}).map(([key, text]) => [key, Buffer.from(text, 'base64')] as const),
  );
  return chosen(contents, { items, optional, mode, what: `references non-existent secret key` });
}

interface Choice {
  readonly items: KeyProjection['items'];
  readonly optional: boolean | undefined;
  readonly mode: number | undefined;
  readonly what: string;
}

function chosen(
  contents: ReadonlyMap<string, Uint8Array>,
  { items, optional, mode = DEFAULT_MODE, what }: Choice,
): Files {
  if (items === undefined) return [...contents].map(([key, content]) => [key, { content, mode }]);
  return items.flatMap(({ key, path, mode: own = mode }): Files => {
    const content = contents.get(key);
    if (content !== undefined) return [[path, { content, mode: own }]];
    if (optional) return [];
    throw new VolumeError(`${what}: ${key}`);
  });
}

function downwardFiles(items: readonly DownwardItem[] = [], context: VolumeContext, mode = DEFAULT_MODE): Files {
  const { pod, surroundings } = context;
  const noContainer: Container | undefined = undefined;
  return items.map(({ path, fieldRef, resourceFieldRef, mode: own = mode }) => {
    const text =
      fieldRef !== undefined
        ? podField(pod, fieldRef.fieldPath, surroundings)
        : resourceFieldRef && resourceField(pod, noContainer, resourceFieldRef, surroundings);
    if (text === undefined) throw new VolumeError(`the downward API has nothing for ${path}`);
    return [path, { content: Buffer.from(text), mode: own }];
  });
}

function missing(kind: string, { metadata }: Pod, name: string): VolumeError {
  return new VolumeError(
    `${kind} ${JSON.stringify(name)} not found in namespace ${JSON.stringify(metadata.namespace ?? '')}`,
  );
}
