/** What a request wants to do, as a rule names it: a verb on a resource, or a method on a path. */
import { parseFieldSelector } from '@capstan/kube';
import { booleanParameter, type ServerRequest, type Target } from '../request.ts';

export type Attributes = ResourceAttributes | PathAttributes;

export interface ResourceAttributes {
  readonly type: 'resource';
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  /** Empty for a collection. */
  readonly name: string;
  /** Empty for all namespaces, and for what has none. */
  readonly namespace: string;
}

export interface PathAttributes {
  readonly type: 'path';
  /** The method in lower case. */
  readonly verb: string;
  readonly path: string;
}

const VERBS: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

type Asked = Pick<ServerRequest, 'method' | 'path' | 'query'>;

/**
 * `target` is what the path was read as, undefined where it is none of a resource. It is the same reading that answers the
 * request afterwards, so that nothing is decided about one object and done to another.
 */
export function attributesOf(request: Asked, target: Target | undefined): Attributes {
  if (!target) return { type: 'path', verb: request.method.toLowerCase(), path: decodedPath(request.path) };
  const { group, version, plural: resource, subresource = '', name = '' } = target;
  // A namespace counts as being in itself: who may read everything in it may read it.
  const namespace = resource === 'namespaces' ? name : (target.namespace ?? '');
  const common = { type: 'resource', group, version, resource, subresource, namespace } as const;
  const verb = target.watching ? 'watch' : (VERBS[request.method] ?? '');
  if (name !== '') return { ...common, verb, name };
  switch (verb) {
    case 'get':
      return {
        ...common,
        verb: booleanParameter(request.query, 'watch') ? 'watch' : 'list',
        name: selectedName(request.query),
      };
    case 'delete':
      return { ...common, verb: 'deletecollection', name };
    default:
      return { ...common, verb, name };
  }
}

/** Who may read one object by its name may list and watch it by that name too: `fieldSelector=metadata.name=a`. */
function selectedName(query: URLSearchParams): string {
  const selector = query.get('fieldSelector');
  if (!selector) return '';
  try {
    const names = parseFieldSelector(selector).requirements.filter(
      ({ field, operator }) => field === 'metadata.name' && operator === '=',
    );
    const name = names[0]?.value ?? '';
    return name === '.' || name === '..' || /[/%]/.test(name) ? '' : name;
  } catch {
    return ''; // what is wrong with it is said later, to who may ask at all
  }
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
