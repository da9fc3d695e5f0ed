/** Which protocol a connection speaks after it has changed hands. Pure. */
import type { ServerRequest } from '../request.ts';
import { badRequest, failure, type StatusError } from '../status.ts';
import type { PodStream } from './pod-stream.ts';

export interface Protocol {
  readonly over: 'websocket' | 'spdy';
  /** As the client named it; empty where it named none. */
  readonly name: string;
}

type ByKind = Readonly<Record<PodStream['kind'], readonly string[]>>;

/** SPDY inside of a WebSocket: what kubectl speaks from 1.31 on to forward ports. */
export const TUNNEL = 'SPDY/3.1+portforward.k8s.io';

const COMMAND_CHANNELS = [
  'v5.channel.k8s.io',
  'v4.channel.k8s.io',
  'v4.base64.channel.k8s.io',
  'channel.k8s.io',
  'base64.channel.k8s.io',
  '',
];

export const WEBSOCKET_PROTOCOLS: ByKind = {
  exec: COMMAND_CHANNELS,
  attach: COMMAND_CHANNELS,
  portforward: [TUNNEL, 'v4.channel.k8s.io', 'v4.base64.channel.k8s.io'],
};

const COMMAND_STREAMS = ['v4.channel.k8s.io', 'v3.channel.k8s.io', 'v2.channel.k8s.io', 'channel.k8s.io', ''];

export const SPDY_PROTOCOLS: ByKind = {
  exec: COMMAND_STREAMS,
  attach: COMMAND_STREAMS,
  portforward: ['portforward.k8s.io', ''],
};

/** The first that the client names and that is spoken here. Throws where there is none. */
export function chooseProtocol(kind: PodStream['kind'], { method, headers }: ServerRequest): Protocol {
  switch (headers['upgrade']?.toLowerCase()) {
    case 'websocket': {
      if (method !== 'GET') throw badRequest('a WebSocket is opened by GET');
      return { over: 'websocket', name: choose(headers['sec-websocket-protocol'], WEBSOCKET_PROTOCOLS[kind]) };
    }
    case 'spdy/3.1':
      return { over: 'spdy', name: choose(headers['x-stream-protocol-version'], SPDY_PROTOCOLS[kind]) };
    default:
      throw badRequest('Upgrade request required');
  }
}

function choose(offered: string | undefined, spoken: readonly string[]): string {
  const names = (offered ?? '').split(',').map(name => name.trim());
  const found = names.find(name => spoken.includes(name));
  if (found === undefined) throw unknownProtocol(names, spoken);
  return found;
}

function unknownProtocol(offered: readonly string[], spoken: readonly string[]): StatusError {
  const accepted = spoken.filter(name => name !== '').join(' ');
  const message = `client supports [${offered.join(' ')}], server accepts [${accepted}]`;
  return failure(403, 'Forbidden', `unable to upgrade: unable to negotiate protocol: ${message}`);
}
