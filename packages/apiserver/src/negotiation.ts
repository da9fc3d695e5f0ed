/** In which form an answer leaves: JSON, or YAML where the client asks for it. */
import { failure, type StatusError } from './status.ts';

export type MediaType = 'application/json' | 'application/yaml';

const AVAILABLE = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/json;stream=watch',
  'application/vnd.kubernetes.protobuf;stream=watch',
];

/**
 * The first of the client's wishes that can be met. Tables and protobuf are asked for with JSON to fall back on, so what is not
 * served yet is passed over.
 */
export function negotiate(accept: string | undefined): MediaType | undefined {
  if (accept === undefined || accept === '') return 'application/json';
  for (const wish of accept.split(',')) {
    const [type, ...parameters] = wish.split(';').map(part => part.trim().toLowerCase());
    if (parameters.some(parameter => parameter.startsWith('as='))) continue;
    if (type === 'application/yaml') return 'application/yaml';
    if (type === '*/*' || type === 'application/*' || type === 'application/json') return 'application/json';
  }
  return undefined;
}

export const notAcceptable = (): StatusError =>
  failure(406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${AVAILABLE.join(', ')}`, {});
