import {
  ApiError,
  type Client,
  type Clock,
  type CustomResourceDefinition,
  customResourceDefinitions,
  type Random,
  systemClock,
  systemRandom,
} from '@capstan/kube';
import { attempt } from '../attempt.ts';
import { type Duration, milliseconds } from '../duration.ts';
import { ControllerError } from '../errors.ts';
import type { Arrival } from '../reflector/arrival.ts';
import { listWatch } from '../reflector/list-watch.ts';
import { Reflector } from '../reflector/reflector.ts';
import type { CustomResource } from './custom-resource.ts';

export interface EnsureOptions {
  /** Not the guarded one of a manager: definitions come before leadership. */
  readonly client: Client;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Who owns the fields of the definitions. Default: `capstan`. */
  readonly owner?: string;
  /** How long to wait for all of them to be served. Default: 30 s. */
  readonly deadline?: Duration;
  readonly signal?: AbortSignal;
}

/**
 * Applies the definitions of custom resources and waits until the API server serves them. Every problem is an error that names the
 * definition. The others are applied all the same: one bad definition is told after the good ones are in place.
 */
export async function ensureCrds(resources: readonly CustomResource[], options: EnsureOptions): Promise<void> {
  const results = await Promise.allSettled(resources.map(({ definition }) => ensure(definition, options)));
  const failures = results.flatMap(result => (result.status === 'rejected' ? [result.reason as unknown] : []));
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) {
    const messages = failures.map(failure => (failure instanceof Error ? failure.message : String(failure)));
    throw new ControllerError('CrdRefused', messages.join('; '), { cause: failures });
  }
}

async function ensure(definition: CustomResourceDefinition, options: EnsureOptions): Promise<void> {
  const {
    client,
    owner = 'capstan',
    clock = systemClock,
    deadline = '30s',
    signal = new AbortController().signal,
  } = options;
  const { name } = definition.metadata;
  const current = attempt(clock, signal);
  current.deadline(milliseconds(deadline), () => notEstablished(name, deadline));
  try {
    await client.apply(customResourceDefinitions, definition, { owner, force: true, signal: current.signal });
    await established(name, current.signal, options);
  } catch (error) {
    if (current.error !== undefined) throw current.error;
    if (!(error instanceof ApiError)) throw error;
    throw new ControllerError('CrdRefused', `the API server refuses ${name}: ${error.message}`, { cause: error });
  } finally {
    current.end();
  }
}

/** Resolves when the definition is served; rejects when its names are taken, or with the signal. */
async function established(name: string, signal: AbortSignal, options: EnsureOptions): Promise<void> {
  const { client, clock = systemClock, random = systemRandom } = options;
  const enough = new AbortController();
  const stop = (): void => enough.abort();
  signal.addEventListener('abort', stop, { once: true });
  let verdict: CrdVerdict = { type: 'waiting' };
  const look = ({ object }: Arrival<CustomResourceDefinition>): void => {
    verdict = verdictOn(object);
    if (verdict.type !== 'waiting') enough.abort();
  };
  const reflector = new Reflector({
    name: `the definition ${name}`,
    listWatch: listWatch(client.transport, customResourceDefinitions, { fieldSelector: `metadata.name=${name}` }),
    sink: {
      replaced: arrivals => arrivals.forEach(look),
      changed: (_, arrival) => look(arrival),
      passed() {},
    },
    clock,
    random,
  });
  await reflector.run(enough.signal);
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  const { type, reason } = verdict as CrdVerdict & { reason?: string };
  if (type === 'refused')
    throw new ControllerError('CrdRefused', `the API server does not accept the names of ${name}: ${reason}`);
}

type CrdVerdict =
  | { readonly type: 'waiting' }
  | { readonly type: 'served' }
  | { readonly type: 'refused'; readonly reason: string };

function verdictOn({ status }: CustomResourceDefinition): CrdVerdict {
  const condition = (type: string) => status?.conditions?.find(each => each.type === type);
  if (condition('Established')?.status === 'True') return { type: 'served' };
  const names = condition('NamesAccepted');
  if (names?.status === 'False') return { type: 'refused', reason: names.message ?? names.reason ?? 'unknown' };
  return { type: 'waiting' };
}

function notEstablished(name: string, deadline: Duration): ControllerError {
  const message = `the API server accepted ${name} but does not serve it after ${milliseconds(deadline) / 1000} s`;
  return new ControllerError('CrdNotEstablished', message);
}
