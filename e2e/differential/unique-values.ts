/** Names for the values of a transcript that no two runs share. */
export interface UniqueValues {
  version(value: string, collective: boolean): string;
  uid(value: string): string;
  /** Replaces uids, generated names and version numbers inside messages and other texts. */
  inText(text: string): string;
}

/** Reads a whole transcript and numbers its uids and generated names as they appear, its versions as they are ordered. */
export function uniqueValues(transcript: readonly unknown[]): UniqueValues {
  const uids = new Map<string, string>();
  const names = new Map<string, string>();
  const versions = new Set<number>();
  for (const metadata of allMetadata(transcript)) {
    const { uid, name, generateName, resourceVersion } = metadata;
    if (typeof uid === 'string' && !uids.has(uid)) uids.set(uid, `uid-${uids.size + 1}`);
    if (typeof name === 'string' && typeof resourceVersion === 'string') versions.add(Number(resourceVersion));
    if (typeof name === 'string' && typeof generateName === 'string' && isGenerated(name, generateName)) {
      if (!names.has(name)) names.set(name, `${generateName}<${names.size + 1}>`);
    }
  }
  const ordered = [...versions].sort((a, b) => a - b);
  const replacements = [...uids, ...names];
  const replaceAll = (text: string) => replacements.reduce((result, [from, to]) => result.replaceAll(from, to), text);
  return {
    version: (value, collective) => {
      if (!/^\d+$/.test(value)) return value;
      const rank = ordered.filter(version => version <= Number(value)).length;
      return collective ? `≥v${rank}` : `v${rank}`;
    },
    uid: value => uids.get(value) ?? value,
    inText: text =>
      replaceAll(text)
        .replace(/too old resource version: (\d+) \(\d+\)/g, 'too old resource version: $1 (<version>)')
        .replace(/ResourceVersion in record \(\d+\)/g, 'ResourceVersion in record (<version>)'),
  };
}

const isGenerated = (name: string, generateName: string): boolean =>
  name.startsWith(generateName.slice(0, 58)) && name.length > generateName.length;

function* allMetadata(value: unknown): Generator<Readonly<Record<string, unknown>>> {
  if (Array.isArray(value)) for (const item of value) yield* allMetadata(item);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if (key === 'metadata' && typeof item === 'object' && item !== null) yield item as Record<string, unknown>;
      yield* allMetadata(item);
    }
  }
}
