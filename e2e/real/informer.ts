import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';

/** What the store of client-go's informer holds of one object, as `bench/peers/informer` tells it. */
export interface ObjectSummary {
  readonly namespace?: string;
  readonly name: string;
  readonly resourceVersion: string;
  /** Of the object's content: two stores hold the same when it is the same. */
  readonly hash: string;
}

export interface Informer {
  /** Whether the store was filled by a watch with `sendInitialEvents`. */
  readonly watchList: boolean;
  state(): Promise<{ readonly resourceVersion: string; readonly objects: readonly ObjectSummary[] }>;
  /** How often its handlers were called, and how many watches failed. */
  events(): Promise<{
    readonly added: number;
    readonly updated: number;
    readonly deleted: number;
    readonly errors: number;
  }>;
  /** Stops the process for a while, as a machine that hangs. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

/** Starts client-go's informer on one resource (`configmaps.v1.`) and resolves when its store is filled. */
export async function startInformer(
  program: string,
  { kubeconfig, resource, namespace }: { kubeconfig: string; resource: string; namespace: string },
): Promise<Informer> {
  // The program ends with its standard input, so it does not outlive this process.
  const child = spawn(program, ['-kubeconfig', kubeconfig, '-resource', resource, '-namespace', namespace]);
  const complaints: string[] = [];
  createInterface(child.stderr).on('line', line => complaints.push(line));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const answer = async <T>(): Promise<T> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`the informer ended: ${complaints.slice(-5).join('\n')}`);
    return JSON.parse(value as string) as T;
  };
  const ask = <T>(command: string): Promise<T> => {
    child.stdin.write(`${command}\n`);
    return answer<T>();
  };
  const { watchList } = await answer<{ watchList: boolean }>();
  return {
    watchList,
    state: () => ask('state'),
    events: () => ask('events'),
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    stop: async () => {
      const gone = new Promise(resolve => child.once('close', resolve));
      child.kill('SIGCONT');
      child.stdin.end();
      await gone;
    },
  };
}

/** The summary of an object that a list returned, made as the informer makes it. */
export function summarise(object: Readonly<Record<string, unknown>>): ObjectSummary {
  const { apiVersion: _, kind: __, ...content } = object;
  const { namespace, name, resourceVersion } = object['metadata'] as ObjectSummary;
  const hash = createHash('sha256').update(sortedJson(content)).digest('hex').slice(0, 16);
  return { ...(namespace !== undefined && { namespace }), name, resourceVersion, hash };
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
