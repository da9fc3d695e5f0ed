/**
 * What this process itself wrote to one kind, for as long as a cache has not seen it. Two questions need it: may a read of
 * the cache be answered yet (read-your-writes), and who caused this event (a controller is not woken by its own writes).
 */
import type { ApiResponse, ObjectIdentity } from '@capstan/kube';
import { Fifo } from '../queue/fifo.ts';
import { objectKey } from './held.ts';
import type { Change, HeldChange } from './store.ts';
import { explains, type Write, type Written, writtenBy } from './write.ts';

/** A write that succeeded and that the cache has yet to show. */
export interface Unseen {
  readonly write: Write;
  readonly key: string;
  readonly written: Exclude<Written, { type: 'nothing' }>;
}

interface UnderWay {
  readonly write: Write;
  readonly finished: Promise<Unseen | undefined>;
}

export class OwnWrites {
  readonly #isSeen: (unseen: Unseen) => boolean;
  readonly #underWay = new Set<UnderWay>();
  /** In the order of their answers, which is nearly the order in which the cache will see them: pruning looks at the first only. */
  readonly #unseen = new Fifo<Unseen>();
  readonly #byKey = new Map<string, Unseen[]>();

  /** `isSeen` says whether the cache shows a write, or never will because it does not hold such objects. */
  constructor(isSeen: (unseen: Unseen) => boolean) {
    this.#isSeen = isSeen;
  }

  /** What the cache has to show before a read that begins now is answered. */
  unseen(): Unseen[] {
    return [...this.#byKey.values()].flat().filter(unseen => !this.#isSeen(unseen));
  }

  /** A write is on its way; the returned function is called with its answer, or with nothing when there was none. */
  begin(write: Write): (response: ApiResponse | undefined) => void {
    const { promise: finished, resolve } = Promise.withResolvers<Unseen | undefined>();
    const underWay: UnderWay = { write, finished };
    this.#underWay.add(underWay);
    return response => {
      this.#underWay.delete(underWay);
      const written = writtenBy(write, response);
      const unseen = written.type === 'nothing' ? undefined : { write, written, key: keyOf(write, written) };
      if (unseen !== undefined && !this.#isSeen(unseen)) this.#remember(unseen);
      resolve(unseen);
    };
  }

  /** The cache has moved on: forget what it shows. */
  prune(): void {
    for (let first = this.#unseen.peek(); first !== undefined && this.#isSeen(first); first = this.#unseen.peek()) {
      this.#unseen.shift();
      const others = this.#byKey.get(first.key)!.filter(unseen => unseen !== first);
      if (others.length === 0) this.#byKey.delete(first.key);
      else this.#byKey.set(first.key, others);
    }
  }

  /**
   * Who caused a change: the writer's name, or `undefined` for anyone else. An event often overtakes the answer to the write that
   * caused it, so this waits for writes to the same object that are under way. Ask before `prune`.
   */
  writerOf(change: HeldChange): string | undefined | Promise<string | undefined> {
    if (this.#byKey.size === 0 && this.#underWay.size === 0) return undefined;
    const finished = this.#byKey.get(change.now.key) ?? [];
    const underWay = [...this.#underWay].filter(({ write }) => mayTouch(write, change.now.identity));
    if (underWay.length === 0) return explainedBy(finished, change);
    return Promise.all(underWay.map(({ finished }) => finished)).then(late =>
      explainedBy([...finished, ...late.filter(unseen => unseen !== undefined)], change),
    );
  }

  #remember(unseen: Unseen): void {
    this.#unseen.push(unseen);
    this.#byKey.set(unseen.key, [...(this.#byKey.get(unseen.key) ?? []), unseen]);
  }
}

function explainedBy(candidates: readonly Unseen[], { type, now, before }: HeldChange): string | undefined {
  if (candidates.length === 0) return undefined;
  const change = { type, object: now.object, previous: before?.object } as Change;
  return candidates.find(({ write, written }) => written.type === 'stored' && explains(write, written.object, change))
    ?.write.writer;
}

function mayTouch({ target }: Write, { namespace = '', name }: ObjectIdentity): boolean {
  return namespace === target.namespace && (target.name ?? name) === name;
}

function keyOf(write: Write, written: Exclude<Written, { type: 'nothing' }>): string {
  if (written.type === 'stored') return objectKey(written.object.metadata);
  return `${write.target.namespace}/${write.target.name}`;
}
