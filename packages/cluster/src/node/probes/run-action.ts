/** Does what a probe or a lifecycle hook says, once, with a limit of time. */
import type { Clock, Container, ProbeAction } from '@capstan/kube';
import { sleep } from '@capstan/kube';
import { askGrpc } from './ask-grpc.ts';
import { askHttp } from './ask-http.ts';
import { askTcp } from './ask-tcp.ts';
import type { ProbeAnswer } from './probing.ts';

export interface ActionTarget {
  readonly clock: Clock;
  readonly container: Container;
  readonly podIP: string;
  /** Runs a command in the container; resolves with how it ended, and rejects when it cannot be run. */
  readonly execute: (command: readonly string[], signal: AbortSignal) => Promise<{ exitCode: number; output: string }>;
}

/** Carries out actions; tests have one of their own. */
export type RunAction = (action: ProbeAction, target: ActionTarget, timeout: number) => Promise<ProbeAnswer>;

export const runAction: RunAction = async (action, target, timeout) => {
  const late = new AbortController();
  const timer = target.clock.after(timeout, () => late.abort());
  try {
    return await carriedOut(action, target, late.signal);
  } catch (error) {
    return { ok: false, message: (error as Error).message };
  } finally {
    timer.cancel();
  }
};

async function carriedOut(action: ProbeAction, target: ActionTarget, signal: AbortSignal): Promise<ProbeAnswer> {
  const { httpGet, tcpSocket, grpc, exec, sleep: pause } = action;
  const { podIP, container, clock } = target;
  if (httpGet !== undefined) return askHttp(httpGet, httpGet.host ?? podIP, portOf(httpGet.port, container), signal);
  if (tcpSocket !== undefined) return askTcp(tcpSocket.host ?? podIP, portOf(tcpSocket.port, container), signal);
  if (grpc !== undefined) return askGrpc(podIP, grpc.port, grpc.service ?? '', signal);
  if (pause !== undefined) {
    await sleep(clock, pause.seconds * 1000, signal).catch(() => {});
    return { ok: true };
  }
  const { exitCode, output } = await target.execute(exec?.command ?? [], signal);
  if (signal.aborted) return { ok: false, message: 'command timed out' };
  return exitCode === 0 ? { ok: true } : { ok: false, message: output };
}

/** A port by number, or by the name that the container gives it. */
export function portOf(port: number | string, { ports = [], name }: Container): number {
  if (typeof port === 'number') return port;
  const named = ports.find(candidate => candidate.name === port);
  if (named !== undefined) return named.containerPort;
  const number = Number(port);
  if (Number.isInteger(number) && number > 0) return number;
  throw new Error(`container ${name} has no port named ${JSON.stringify(port)}`);
}
