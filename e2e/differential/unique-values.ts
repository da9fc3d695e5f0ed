/** Names for the values of a transcript that no two runs share. */
export interface UniqueValues {
  /** The version of one object: `Pod web@3` is the third one that the Pod `web` had in the transcript. */
  version(value: string, uid: string): string;
  /** The version of a list or a bookmark: `≥Pod web@3`, the latest version that it includes. */
  collectiveVersion(value: string): string;
  uid(value: string): string;
  /** Replaces uids, generated names and version numbers inside messages and other texts. */
  inText(text: string): string;
}

interface Entity {
  readonly name: string;
  readonly versions: Set<number>;
}

/**
 * Reads a whole transcript and names its uids and versions after the objects, so that one object too many or too few shows
 * as that and does not rename all others.
 */
export function uniqueValues(transcript: readonly unknown[]): UniqueValues {
  const entities = new Map<string, Entity>();
  const generatedNames = new Map<string, string>();
  for (const { kind, metadata } of allObjects(transcript)) {
    const { uid, name, generateName, resourceVersion } = metadata;
    if (typeof name !== 'string') continue;
    if (typeof generateName === 'string' && isGenerated(name, generateName) && !generatedNames.has(name)) {
      generatedNames.set(name, `${generateName}<${generatedNames.size + 1}>`);
    }
    if (typeof uid !== 'string') continue;
    const shown = [kind, generatedNames.get(name) ?? name].filter(Boolean).join(' ');
    const entity = entities.get(uid) ?? { name: freeName(shown, entities), versions: new Set() };
    entities.set(uid, entity);
    if (typeof resourceVersion === 'string') entity.versions.add(Number(resourceVersion));
  }
  const uids = new Map([...entities].map(([uid, { name }]) => [uid, `uid of ${name}`]));
  const shownVersions = new Map([...entities.values()].flatMap(showVersions));
  const ordered = [...shownVersions.keys()].sort((a, b) => a - b);
  const replacements = [...uids, ...generatedNames];
  return {
    version: (value, uid) => (entities.has(uid) ? (shownVersions.get(Number(value)) ?? value) : value),
    collectiveVersion: value => {
      const latest = ordered.findLast(version => version <= Number(value));
      return /^\d+$/.test(value) ? `≥${latest === undefined ? '' : shownVersions.get(latest)}` : value;
    },
    uid: value => uids.get(value) ?? value,
    inText: text => hideNumbers(replacements.reduce((result, [from, to]) => result.replaceAll(from, to), text)),
  };
}

const showVersions = ({ name, versions }: Entity): [number, string][] =>
  [...versions].sort((a, b) => a - b).map((version, index) => [version, `${name}@${index + 1}`]);

/** `Pod web`, and for further objects of that name `Pod web#2`, `Pod web#3`. */
function freeName(name: string, entities: ReadonlyMap<string, Entity>): string {
  const taken = [...entities.values()].filter(entity => entity.name === name || entity.name.startsWith(`${name}#`));
  return taken.length === 0 ? name : `${name}#${taken.length + 1}`;
}

function hideNumbers(text: string): string {
  return (
    text
      // A dry run makes a uid that no answer shows as one.
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uid>')
      // Some refusals quote the whole object.
      .replace(/(resourceVersion[\\"]+:[\\"]+)\d+/g, '$1<version>')
      .replace(/(.)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '$1<time>')
      .replace(/too old resource version: (\d+) \(\d+\)/g, 'too old resource version: $1 (<version>)')
      .replace(/ResourceVersion in record \(\d+\)/g, 'ResourceVersion in record (<version>)')
  );
}

/** A server cuts a long beginning to 58 characters and adds five of its own. */
function isGenerated(name: string, generateName: string): boolean {
  const beginning = generateName.slice(0, 58);
  return name.startsWith(beginning) && name.length === beginning.length + 5;
}

interface Described {
  readonly kind: unknown;
  readonly metadata: Readonly<Record<string, unknown>>;
}

function* allObjects(value: unknown): Generator<Described> {
  if (Array.isArray(value)) for (const item of value) yield* allObjects(item);
  else if (typeof value === 'object' && value !== null) {
    const { kind, metadata } = value as Partial<Described>;
    if (typeof metadata === 'object' && metadata !== null) yield { kind, metadata };
    for (const item of Object.values(value)) yield* allObjects(item);
  }
}
