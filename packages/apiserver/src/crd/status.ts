/** Whether a CRD may have the names it asks for, and with that whether it is served. */
import type { KindDefinition } from '../kind.ts';
import {
  type AnyCrd,
  asCrd,
  type CrdCondition,
  type CrdNames,
  type CrdStatus,
  type CustomResourceDefinition,
} from './types.ts';

export interface CrdSurroundings {
  /** All other CRDs; those of the same group may have taken a name. */
  readonly others: readonly AnyCrd[];
  /** The built-in kinds: their names are taken in their groups. */
  readonly builtins: readonly Pick<
    KindDefinition,
    'group' | 'kind' | 'listKind' | 'plural' | 'singular' | 'shortNames'
  >[];
  /** RFC 3339. */
  readonly now: string;
}

/** The status the CRD should have. What it has been granted before stays granted. */
export function crdStatus(stored: AnyCrd, surroundings: CrdSurroundings): CrdStatus {
  const crd = asCrd(stored);
  const { names, condition } = acceptNames(crd, takenNames(crd.spec.group, surroundings));
  const accepted = settle(crd, surroundings.now, condition);
  return {
    conditions: [
      accepted,
      settle(crd, surroundings.now, established(crd, accepted.status === 'True')),
      ...(crd.status?.conditions ?? []).filter(({ type }) => type !== 'NamesAccepted' && type !== 'Established'),
    ],
    acceptedNames: names,
    storedVersions: crd.status?.storedVersions ?? [],
  };
}

interface Taken {
  readonly resources: ReadonlySet<string | undefined>;
  readonly kinds: ReadonlySet<string | undefined>;
}

function takenNames(group: string, { others, builtins }: CrdSurroundings): Taken {
  const names: readonly CrdNames[] = [
    ...others
      .map(asCrd)
      .filter(other => other.spec.group === group)
      .flatMap(other => other.status?.acceptedNames ?? []),
    ...builtins.filter(kind => kind.group === group),
  ];
  return {
    resources: new Set(names.flatMap(({ plural, singular, shortNames = [] }) => [plural, singular, ...shortNames])),
    kinds: new Set(names.flatMap(({ kind, listKind }) => [kind, listKind])),
  };
}

type Finding = Omit<CrdCondition, 'lastTransitionTime'>;

function acceptNames(crd: CustomResourceDefinition, taken: Taken): { names: CrdNames; condition: Finding } {
  const wanted = crd.spec.names;
  const before: Partial<CrdNames> = crd.status?.acceptedNames ?? {};
  const names: { -readonly [K in keyof CrdNames]: CrdNames[K] } = {
    ...before,
    plural: before.plural ?? '',
    kind: before.kind ?? '',
  };
  let conflict: { reason: string; message: string } | undefined;

  const claim = <K extends 'plural' | 'singular' | 'kind' | 'listKind'>(
    field: K,
    reason: string,
    used: Taken['kinds'],
  ) => {
    const name = wanted[field];
    if (name !== before[field] && name !== undefined && used.has(name)) conflict = { reason, message: inUse([name]) };
    else if (name !== undefined) names[field] = name;
  };
  claim('plural', 'PluralConflict', taken.resources);
  claim('singular', 'SingularConflict', taken.resources);
  const lost = (wanted.shortNames ?? []).filter(
    name => !before.shortNames?.includes(name) && taken.resources.has(name),
  );
  if (lost.length > 0) conflict = { reason: 'ShortNamesConflict', message: inUse(lost) };
  else if (wanted.shortNames === undefined) delete names.shortNames;
  else names.shortNames = wanted.shortNames;
  claim('kind', 'KindConflict', taken.kinds);
  claim('listKind', 'ListKindConflict', taken.kinds);
  if (wanted.categories === undefined) delete names.categories;
  else names.categories = wanted.categories;

  const none = { reason: 'NoConflicts', message: 'no conflicts found' };
  const condition: Finding = { type: 'NamesAccepted', status: conflict ? 'False' : 'True', ...(conflict ?? none) };
  return { names, condition };
}

/** Several errors print as a list, one as it is. */
function inUse(names: readonly string[]): string {
  const messages = names.map(name => `${JSON.stringify(name)} is already in use`);
  return messages.length === 1 ? messages[0]! : `[${messages.join(', ')}]`;
}

/** Once established, always established: a later conflict of names does not take the kind away. */
function established(crd: CustomResourceDefinition, accepted: boolean): Finding {
  const before = crd.status?.conditions?.find(({ type }) => type === 'Established');
  if (before?.status === 'True') return before;
  return accepted
    ? {
        type: 'Established',
        status: 'True',
        reason: 'InitialNamesAccepted',
        message: 'the initial names have been accepted',
      }
    : { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' };
}

function settle(crd: CustomResourceDefinition, now: string, { type, status, reason, message }: Finding): CrdCondition {
  const before = crd.status?.conditions?.find(condition => condition.type === type);
  const lastTransitionTime = before?.status === status ? before.lastTransitionTime : now;
  return { type, status, lastTransitionTime, reason, message };
}
