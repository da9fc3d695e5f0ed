/** What a connection to a Pod is for: read from a request, and decided before the connection changes hands. */
import { type Attributes, attributesOf } from '../authorization/attributes.ts';
import { booleanParameter, type ServerRequest, type Target } from '../request.ts';
import type { Backend, Call } from '../resource-handler.ts';
import { badRequest, forbidden, methodNotAllowed } from '../status.ts';
import type { NodeAgent, PortForwardRequest, StreamRequest } from './node-agent.ts';
import { containerOf, hostOf, podOf } from './pod-location.ts';
import { chooseProtocol } from './protocols.ts';

export type PodStream = CommandStream | PortForwardStream;

/** A process's streams: of one that is started for it, or of the container's own. */
export type CommandStream =
  | { readonly kind: 'exec'; readonly agent: NodeAgent; readonly request: Asked; readonly command: readonly string[] }
  | { readonly kind: 'attach'; readonly agent: NodeAgent; readonly request: Asked };

export interface PortForwardStream {
  readonly kind: 'portforward';
  readonly agent: NodeAgent;
  readonly pod: PortForwardRequest['pod'];
  /** Named in the query by clients that open one channel a port; others name the port with each connection. */
  readonly ports: readonly number[];
}

export type Asked = Omit<StreamRequest, 'signal'>;

export const POD_STREAMS: ReadonlySet<string> = new Set(['exec', 'attach', 'portforward']);

/** Throws a `StatusError` for what cannot be done, before anything is promised to the client. */
export function podStream(backend: Backend, request: ServerRequest, target: Target): PodStream {
  if (request.method !== 'GET' && request.method !== 'POST') throw methodNotAllowed();
  const { query } = request;
  const ports = target.subresource === 'portforward' ? portsOf(query) : [];
  requireCreate(backend, request, attributesOf(request, target));
  const pod = podOf(backend, target.namespace!, target.name!);
  if (target.subresource === 'portforward') {
    return { kind: 'portforward', agent: hostOf(backend, pod), pod, ports };
  }
  const container = containerOf(pod, query.get('container') ?? undefined);
  const agent = hostOf(backend, pod);
  const asked = { pod, container, ...streamsOf(query) };
  if (target.subresource === 'attach') return { kind: 'attach', agent, request: asked };
  const command = query.getAll('command');
  if (command.length === 0) throw badRequest('you must specify at least one command for the container');
  return { kind: 'exec', agent, request: asked, command };
}

/** The answer to a request whose connection was not handed over: it says why. */
export function refuseWithoutUpgrade({ backend, request, target }: Call): never {
  chooseProtocol(podStream(backend, request, target).kind, request);
  throw badRequest('Upgrade request required');
}

/** A browser can open a WebSocket by GET alone, and the right to `get` must not be enough to run something. */
function requireCreate({ access }: Backend, { user }: ServerRequest, attributes: Attributes): void {
  if (attributes.type !== 'resource' || attributes.verb === 'create') return;
  const { allowed, reason } = access.authorizer.authorize(user, { ...attributes, verb: 'create' });
  if (!allowed) throw forbidden({ group: '', plural: 'pods', kind: 'Pod' }, attributes.name, reason);
}

function streamsOf(query: URLSearchParams): Pick<StreamRequest, 'stdin' | 'stdout' | 'stderr' | 'tty'> {
  const tty = booleanParameter(query, 'tty');
  const stdin = booleanParameter(query, 'stdin');
  const stdout = booleanParameter(query, 'stdout');
  const stderr = booleanParameter(query, 'stderr') && !tty;
  if (!stdin && !stdout && !stderr) throw badRequest('you must specify at least 1 of stdin, stdout, stderr');
  return { stdin, stdout, stderr, tty };
}

function portsOf(query: URLSearchParams): number[] {
  const given = query.getAll('ports').flatMap(text => text.split(','));
  return given.map(text => {
    const port = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (Number.isNaN(port)) {
      const quoted = JSON.stringify(text);
      throw badRequest(`cannot convert to []int32: strconv.ParseUint: parsing ${quoted}: invalid syntax`);
    }
    if (port < 1 || port > 65_535) throw badRequest(`port ${JSON.stringify(text)} must be between 1 and 65535`);
    return port;
  });
}
