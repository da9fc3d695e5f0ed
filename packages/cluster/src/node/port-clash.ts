/**
 * Pods here share the machine's ports, each at its own address. A program that binds every address takes the port from all others; this
 * finds it out and says so. Pure: what listens is handed in.
 */
import type { Container } from '@capstan/kube';
import type { Listener } from './host/listeners.ts';

const HOW = 'Bind the address of the Pod instead: $(POD_IP) in command, args and env.';

/** A program that runs and binds every address. */
export function bindsEverything(ports: readonly number[]): string | undefined {
  if (ports.length === 0) return undefined;
  const list = ports.map(port => `0.0.0.0:${port}`).join(', ');
  return `the program listens on ${list}, which is every Pod's address: others that want the port cannot have it. ${HOW}`;
}

/** A program that failed, perhaps because one of its ports was taken. */
export function takenPort(
  { ports = [] }: Container,
  podIP: string,
  listeners: readonly Listener[],
): string | undefined {
  for (const { containerPort } of ports) {
    const taken = listeners.find(
      ({ address, port }) => port === containerPort && (address === '0.0.0.0' || address === podIP),
    );
    if (taken !== undefined) {
      return `port ${containerPort} is taken: another program listens on ${taken.address}:${taken.port}. If that is a Pod, it should bind its own address; if this one binds 0.0.0.0, it must not. ${HOW}`;
    }
  }
  return undefined;
}
