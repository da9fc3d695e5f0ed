import type { Difference } from './compare.ts';

/** A difference that was looked at and is meant to stay, with the reason. */
export interface Accepted {
  /** Name of the script, or `*`. */
  readonly script: string;
  /** Titles of the steps, or `*`. */
  readonly steps: readonly string[] | '*';
  /** Matches the pointer of the difference. */
  readonly pointer: RegExp;
  readonly reason: string;
}

const message = /^\/body\/(message|details\/causes\/0\/message)$/;

/** Add to it only what a user of Kubernetes would not notice, or what `docs/cluster.md` says is left out. */
export const accepted: readonly Accepted[] = [
  {
    script: 'versions',
    steps: ['refuses another uid'],
    pointer: message,
    reason:
      'A real server names the key in etcd and its own error type; there is no etcd here. The code and the cause are the same.',
  },
  {
    script: '*',
    steps: ['YAML that is broken'],
    pointer: message,
    reason: 'The words of another YAML parser; both are 400 and name the place.',
  },
  {
    script: 'quantities',
    steps: ['a Secret of a docker config that is none'],
    pointer: message,
    reason: 'The words of another JSON parser; both name the key and redact the value.',
  },
  {
    script: 'crd-definitions',
    steps: ['its resources'],
    pointer: /^\/body\/resources\/\d+\/storageVersionHash$/,
    reason: 'An opaque hash for tools that migrate stored versions in etcd.',
  },
  {
    script: 'crd-versions',
    steps: ['applies in the storage version'],
    pointer: /^\/(status$|body\/)/,
    reason:
      'A real server fails with 500 here, because a default of the storage version is unknown to the version of an earlier manager. We answer the conflict that there is.',
  },
  {
    script: 'quantities',
    steps: ['memory "1Ei"'],
    pointer: /^\/warnings$/,
    reason: 'A real server warns of a fraction where its arithmetic overflows; 1Ei is a whole number of bytes.',
  },
  {
    script: 'validation',
    steps: ['Service: a node port out of range'],
    pointer: /^\/(status$|body\/)/,
    reason:
      'A dry run of a real server does not ask its allocator, so it accepts what the request itself would be refused for.',
  },
  {
    script: 'immutability',
    steps: [
      'Pod: the restart policy',
      'Pod: its node',
      'Job: its template',
      'PersistentVolumeClaim: its access modes',
      'PersistentVolumeClaim: a larger request while it is not bound',
    ],
    pointer: message,
    reason: 'A real server adds a print or a diff of its internal Go structs after the same sentence.',
  },
  {
    script: 'patches',
    steps: [
      'makes a value of the wrong type',
      'changes the kind',
      'adds a field that there is not, strictly',
      'a merge of the wrong type',
      'a merge with an unknown field, strictly',
      'a merge of another apiVersion',
    ],
    pointer: message,
    reason: 'The refusal quotes the whole patched object; its keys come in another order.',
  },
  {
    script: 'defaults',
    steps: ['an IngressClass'],
    pointer: /^\/(status$|body\/)/,
    reason: 'IngressClass is not among the kinds that are served; the answer is the 404 of an unknown resource.',
  },
  {
    script: 'requests',
    steps: ['an answer in YAML'],
    pointer: /^\/body$/,
    reason: 'The same YAML with its keys in another order.',
  },
  {
    script: '*',
    steps: [
      'creates a role',
      'LimitRange: creates the least',
      'LimitRange: writes the same again',
      'LimitRange: changes it',
      'LimitRange: labels it',
      'EndpointSlice: creates the least',
      'EndpointSlice: writes the same again',
    ],
    pointer: /^\/body\/metadata\/managedFields/,
    reason:
      'A list that is given empty is stored, and answered, as null by both. A real server notes who gave the empty list in between; we note nobody for nothing.',
  },
];

export interface Review {
  readonly unexpected: readonly Difference[];
  /** Entries that no difference needed: the server got better, and the list has to shrink. */
  readonly used: ReadonlySet<Accepted>;
}

/** Parts the differences of one script into accepted ones and those that are failures. */
export function review(
  script: string,
  differences: readonly Difference[],
  list: readonly Accepted[] = accepted,
): Review {
  const used = new Set<Accepted>();
  const unexpected = differences.filter(difference => {
    const entry = list.find(candidate => accepts(candidate, script, difference));
    if (entry !== undefined) used.add(entry);
    return entry === undefined;
  });
  return { unexpected, used };
}

function accepts(entry: Accepted, script: string, { step, pointer }: Difference): boolean {
  return (
    (entry.script === '*' || entry.script === script) &&
    (entry.steps === '*' || entry.steps.includes(step)) &&
    entry.pointer.test(pointer)
  );
}
