/** `GET …/pods/x/log` */
import type { Answer } from '../answer.ts';
import type { Call } from '../resource-handler.ts';
import { badRequest, methodNotAllowed } from '../status.ts';
import { messageOf, unlessAborted } from './abort.ts';
import { requireLog } from './container-log.ts';
import { logOptions } from './log-options.ts';
import { logText } from './log-text.ts';
import { agentOf, containerOf, podOf } from './pod-location.ts';

/** A Pod that runs nowhere has nothing to say, which is no failure. */
const NOTHING: Answer = { kind: 'text', status: 204, type: 'text/plain', text: '' };

export async function readLog({ backend, request, target }: Call): Promise<Answer> {
  if (request.method !== 'GET') throw methodNotAllowed();
  const options = logOptions(request.query, target.name!, backend.clock.now());
  const pod = podOf(backend, target.namespace!, target.name!);
  const container = containerOf(pod, options.container);
  if (!pod.spec.nodeName) return NOTHING;
  const agent = agentOf(backend, pod.spec.nodeName);
  requireLog(pod, container, options.previous);
  const { follow, previous, tailLines } = options;
  const { signal } = request;
  const asked = { pod, container, signal, follow, previous, ...(tailLines !== undefined && { tailLines }) };
  const entries = await unlessAborted(agent.logs(asked), signal).catch(error => {
    throw badRequest(messageOf(error));
  });
  return { kind: 'stream', type: 'text/plain', chunks: logText(entries, options) };
}
