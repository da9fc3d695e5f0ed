/** Tokens of service accounts for projected volumes: asked for when needed, renewed at four fifths of their life. */
import { type Client, type Clock, type KubeObject, type Pod, serviceAccounts } from '@capstan/kube';

interface TokenRequest extends KubeObject {
  readonly spec: {
    readonly audiences?: readonly string[];
    readonly expirationSeconds?: number;
    readonly boundObjectRef?: object;
  };
  readonly status?: { readonly token: string; readonly expirationTimestamp: string };
}

interface Held {
  readonly token: string;
  readonly refreshAt: number;
}

export interface PodTokens {
  /** By `volume/path`. */
  readonly tokens: ReadonlyMap<string, string>;
  readonly refreshAt?: number | undefined;
}

const DEFAULT_LIFE_SECONDS = 3600;

export class ServiceAccountTokens {
  readonly #client: Client;
  readonly #clock: Clock;
  /** By Pod, volume and path. */
  readonly #held = new Map<string, Map<string, Held>>();

  constructor(client: Client, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  async forPod(pod: Pod): Promise<PodTokens> {
    const wanted = wantedBy(pod);
    if (wanted.length === 0) return { tokens: new Map() };
    const uid = pod.metadata.uid ?? '';
    const held = this.#held.get(uid) ?? new Map<string, Held>();
    this.#held.set(uid, held);
    for (const want of wanted) {
      const existing = held.get(want.key);
      if (existing !== undefined && this.#clock.now() < existing.refreshAt) continue;
      held.set(want.key, await this.#ask(pod, want));
    }
    const tokens = new Map(Array.from(held, ([key, { token }]) => [key, token]));
    return { tokens, refreshAt: Math.min(...Array.from(held.values(), ({ refreshAt }) => refreshAt)) };
  }

  forget(uid: string): void {
    this.#held.delete(uid);
  }

  async #ask({ metadata, spec }: Pod, { audience, seconds }: Wanted): Promise<Held> {
    const { name, namespace, uid } = metadata;
    const account = spec.serviceAccountName ?? 'default';
    const request = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: { name: account },
      spec: {
        ...(audience !== undefined && { audiences: [audience] }),
        expirationSeconds: seconds,
        boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid },
      },
    };
    const made = await this.#client
      .subresource<TokenRequest>(serviceAccounts, 'token')
      .create({ namespace, name: account }, request);
    const life = Date.parse(made.status?.expirationTimestamp ?? '') - this.#clock.now();
    return {
      token: made.status?.token ?? '',
      refreshAt: this.#clock.now() + (Number.isNaN(life) ? seconds * 1000 : life) * 0.8,
    };
  }
}

interface Wanted {
  readonly key: string;
  readonly audience: string | undefined;
  readonly seconds: number;
}

function wantedBy({ spec }: Pod): Wanted[] {
  return (spec.volumes ?? []).flatMap(({ name, projected }) =>
    (projected?.sources ?? []).flatMap(({ serviceAccountToken }) => {
      if (serviceAccountToken === undefined) return [];
      const { path, audience, expirationSeconds = DEFAULT_LIFE_SECONDS } = serviceAccountToken;
      return [{ key: `${name}/${path}`, audience, seconds: expirationSeconds }];
    }),
  );
}
