/** Asks one probe of a running container, over and over, and tells what comes of it. */
import type { Clock, Probe, Timer } from '@capstan/kube';
import { counted, firstTally, type Tally } from './probe-tally.ts';

export type ProbeAnswer = { readonly ok: true } | { readonly ok: false; readonly message: string };

export interface ProbingOptions {
  readonly clock: Clock;
  readonly probe: Probe;
  /** When the container began: the initial delay counts from there. */
  readonly startedAt: number;
  /** Asks once; the signal is aborted after the probe's timeout. Never rejects. */
  readonly ask: (timeoutSeconds: number) => Promise<ProbeAnswer>;
  readonly onAnswer: (answer: ProbeAnswer, tally: Tally) => void;
}

/** Returns how to stop. No answer is told after that. */
export function startProbing({ clock, probe, startedAt, ask, onAnswer }: ProbingOptions): () => void {
  const { initialDelaySeconds = 0, periodSeconds = 10, timeoutSeconds = 1 } = probe;
  let tally = firstTally;
  let timer: Timer | undefined;
  let stopped = false;
  const once = async (): Promise<void> => {
    const began = clock.monotonic();
    const answer = await ask(timeoutSeconds);
    if (stopped) return;
    tally = counted(tally, answer.ok, probe);
    onAnswer(answer, tally);
    if (stopped) return;
    const next = Math.max(0, periodSeconds * 1000 - (clock.monotonic() - began));
    timer = clock.after(next, () => void once());
  };
  const delay = Math.max(0, startedAt + initialDelaySeconds * 1000 - clock.now());
  timer = clock.after(delay, () => void once());
  return () => {
    stopped = true;
    timer?.cancel();
  };
}
