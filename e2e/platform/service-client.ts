/** A client that finds a Service by watching its EndpointSlices, as a load balancer or a mesh does: one request after the other. */
import { type Client, type EndpointSlice, endpointSlices } from '@capstan/kube';
import { Agent, request } from 'undici';

export interface Failure {
  readonly address: string;
  readonly message: string;
}

export interface ServiceClient {
  /** Resolves when the Service has that many ready addresses. */
  ready(count: number): Promise<void>;
  /** How many requests were answered well, and by which version (`VERSION` is the tag of the image). */
  readonly answered: ReadonlyMap<string, number>;
  readonly failed: readonly Failure[];
  stop(): Promise<void>;
}

/** @param callers how many loops ask at the same time */
export function callService(client: Client, namespace: string, name: string, callers: number): ServiceClient {
  const stopping = new AbortController();
  const slices = new Map<string, EndpointSlice>();
  const answered = new Map<string, number>();
  const failed: Failure[] = [];
  let onChange: () => void = () => {};
  const addresses = (): string[] => Array.from(slices.values()).flatMap(readyAddresses);

  const watching = (async () => {
    const labels = { 'kubernetes.io/service-name': name };
    for await (const event of client.watch(endpointSlices, { namespace, labels, signal: stopping.signal })) {
      if (event.type === 'ERROR' || event.type === 'BOOKMARK') continue;
      if (event.type === 'DELETED') slices.delete(event.object.metadata.name);
      else slices.set(event.object.metadata.name, event.object);
      onChange();
    }
  })().catch(error => {
    if (!stopping.signal.aborted) throw error;
  });

  const loop = async (caller: number): Promise<void> => {
    // A connection for each request: nothing is hidden by one that stays open.
    const dispatcher = new Agent({ pipelining: 0 });
    for (let turn = caller; !stopping.signal.aborted; turn++) {
      const all = addresses();
      const address = all[turn % all.length];
      if (address === undefined) {
        failed.push({ address: '', message: 'the Service had no ready address' });
        return;
      }
      try {
        const { statusCode, body } = await request(`http://${address}/`, { dispatcher });
        const version = /^version (.*)$/m.exec(await body.text())?.[1];
        if (statusCode === 200 && version) answered.set(version, (answered.get(version) ?? 0) + 1);
        else failed.push({ address, message: `answered ${statusCode}` });
      } catch (error) {
        failed.push({ address, message: String(error) });
      }
    }
    await dispatcher.close();
  };

  let looping: Promise<unknown> | undefined;
  return {
    answered,
    failed,
    async ready(count) {
      await new Promise<void>(resolve => {
        onChange = () => {
          if (addresses().length >= count) resolve();
        };
        onChange();
      });
      looping ??= Promise.all(Array.from({ length: callers }, (_, caller) => loop(caller)));
    },
    async stop() {
      stopping.abort();
      await Promise.all([watching, looping]);
    },
  };
}

/** `host:port` of the endpoints that want requests. */
function readyAddresses({ endpoints, ports }: EndpointSlice): string[] {
  const port = ports?.[0]?.port;
  // Kubernetes says null where there are none.
  return (endpoints ?? [])
    .filter(({ conditions }) => conditions?.ready !== false)
    .flatMap(endpoint => endpoint.addresses.map(address => `${address}:${port}`));
}
