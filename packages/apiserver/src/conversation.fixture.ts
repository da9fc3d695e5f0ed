/** A server on a clock that stands still, and requests to it in few words. For the tests of this package. */
import type { ApiRequest, ApiResponse, Method, WatchEvent } from '@capstan/kube';
import { drained, SteppedClock, seededRandom } from '@capstan/lab';
import type { Draft } from './kind.ts';
import { type ApiServer, type ApiServerOptions, createApiServer } from './server.ts';

export interface Reply {
  readonly status: number;
  readonly body: Draft;
  readonly warnings: string;
}

export type Query = Readonly<Record<string, string>>;

export interface Conversation {
  readonly server: ApiServer;
  readonly clock: SteppedClock;
  get(path: string, query?: Query): Promise<Reply>;
  post(path: string, body: unknown, query?: Query): Promise<Reply>;
  put(path: string, body: unknown, query?: Query): Promise<Reply>;
  merge(path: string, patch: unknown, query?: Query): Promise<Reply>;
  apply(path: string, manager: string, object: unknown, query?: Query): Promise<Reply>;
  remove(path: string, options?: unknown, query?: Query): Promise<Reply>;
  send(request: ApiRequest): Promise<Reply>;
  /** The events of a watch as they come; `ended` when the server has closed it. */
  watch(path: string, query?: Query, headers?: Query): Promise<Watching>;
}

export interface Watching {
  readonly events: readonly WatchEvent[];
  readonly ended: boolean;
}

export async function converse(options: ApiServerOptions = {}): Promise<Conversation> {
  const clock = new SteppedClock();
  const server = await createApiServer({ clock, random: seededRandom(1), onError: fail, ...options });
  const transport = server.transport();
  const send = async (request: ApiRequest): Promise<Reply> => reply(await transport.request(request));
  const plain = (method: Method, contentType?: string) => (path: string, body?: unknown, query?: Query) =>
    send({ method, path, body, ...(query && { query }), ...(contentType && { contentType }) });
  return {
    server,
    clock,
    send,
    get: (path, query) => plain('GET')(path, undefined, query),
    post: plain('POST'),
    put: plain('PUT'),
    merge: plain('PATCH', 'application/merge-patch+json'),
    remove: plain('DELETE'),
    apply: (path, fieldManager, object, query) =>
      plain('PATCH', 'application/apply-patch+yaml')(path, object, { fieldManager, ...query }),
    async watch(path, query = {}, headers = {}) {
      const stream = await transport.watch({ method: 'GET', path, query: { watch: 'true', ...query }, headers });
      if (stream.refused) throw new Error(`refused: ${JSON.stringify(stream.refused.body)}`);
      const events: WatchEvent[] = [];
      const watching = { events, ended: false };
      void (async () => {
        for await (const event of stream.events) events.push(event);
        watching.ended = true;
      })();
      await drained();
      return watching;
    },
  };
}

const reply = ({ status, body, headers }: ApiResponse): Reply => ({
  status,
  body: body as Draft,
  warnings: headers['warning'] ?? '',
});

function fail(error: unknown): void {
  throw error;
}

export const CONFIGMAPS = '/api/v1/namespaces/default/configmaps';
export const PODS = '/api/v1/namespaces/default/pods';
export const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
export const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

export const configMap = (name: string, data: Record<string, string> = {}, metadata: object = {}) => ({
  metadata: { name, ...metadata },
  data,
});

export const pod = (name: string, metadata: object = {}) => ({
  metadata: { name, ...metadata },
  spec: { containers: [{ name: 'main', image: 'example/main:1' }] },
});

export const deployment = (name: string, replicas = 1) => ({
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: pod('').spec },
  },
});

export const names = ({ body }: Reply): string[] => body['items'].map((item: Draft) => item.metadata.name);

export const types = ({ events }: Watching): string[] => events.map(({ type }) => type);
