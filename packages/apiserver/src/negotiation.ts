/** In which form an answer leaves: JSON, or YAML where the client asks for it. */
import { failure, type StatusError } from './status.ts';

export type MediaType = 'application/json' | 'application/yaml';

/** What of an object is shown. */
export type View = 'Object' | MetadataView | { readonly table: 'v1' | 'v1beta1' };

export type MetadataView = 'PartialObjectMetadata' | 'PartialObjectMetadataList';

export interface Representation {
  readonly type: MediaType;
  readonly view: View;
}

const PLAIN: Representation = { type: 'application/json', view: 'Object' };

const AVAILABLE = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/json;stream=watch',
  'application/vnd.kubernetes.protobuf;stream=watch',
];

/**
 * The first of the client's wishes that can be met. Protobuf is asked for with JSON to fall back on, so what is not served is
 * passed over.
 */
export function negotiate(accept: string | undefined): Representation | undefined {
  if (accept === undefined || accept === '') return PLAIN;
  for (const wish of accept.split(',')) {
    const [type, ...parameters] = wish.split(';').map(part => part.trim());
    const view = viewOf(parameters);
    if (!view) continue;
    switch (type!.toLowerCase()) {
      case 'application/yaml':
        return { type: 'application/yaml', view };
      case '*/*':
      case 'application/*':
      case 'application/json':
        return { type: 'application/json', view };
    }
  }
  return undefined;
}

/** Logs are text whatever is asked for, so that who asks for text alone gets them too. */
export function acceptsPlainText(accept: string | undefined): boolean {
  return (accept ?? '').split(',').some(wish => /^\s*text\/(plain|\*)\s*(;|$)/i.test(wish));
}

/** Undefined: a view that is not served, or another version of one that is. */
function viewOf(parameters: readonly string[]): View | undefined {
  const given = Object.fromEntries(parameters.map(parameter => parameter.split('=', 2)));
  if (given.as === undefined) return 'Object';
  if (given.g !== 'meta.k8s.io') return undefined;
  if (given.as === 'Table') return given.v === 'v1' || given.v === 'v1beta1' ? { table: given.v } : undefined;
  if (given.v !== 'v1') return undefined;
  return given.as === 'PartialObjectMetadata' || given.as === 'PartialObjectMetadataList' ? given.as : undefined;
}

export const notAcceptable = (): StatusError =>
  failure(406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${AVAILABLE.join(', ')}`, {});
