import { type Clock, type Random, systemClock, systemRandom, type Transport } from '@capstan/kube';
import { type Access, type AccessOptions, openAccess } from './access.ts';
import { builtinAdmission } from './admission.ts';
import { type Answer, type FullAnswer, value } from './answer.ts';
import { handleIssuerDiscovery } from './authentication/index.ts';
import { bootstrap } from './bootstrap.ts';
import { CustomResources } from './custom-resources.ts';
import { handleDiscovery } from './discovery/index.ts';
import { actingUser } from './impersonation.ts';
import { inProcessTransport } from './in-process.ts';
import { Kinds } from './kinds.ts';
import { type Counted, METRICS_PATH, ServerMetrics, StoreMetrics } from './metrics/index.ts';
import { negotiate } from './negotiation.ts';
import { nothingIn, PAGE_NOT_FOUND } from './not-found.ts';
import { handleOpenApi } from './openapi/index.ts';
import { NodeAgents, POD_STREAMS, type PodStream, podStream } from './pods/index.ts';
import { represent } from './representation.ts';
import { parseTarget, type ServerRequest, type Target, type User } from './request.ts';
import { type Backend, handleResource } from './resource-handler.ts';
import { answerReview, reviewAt } from './reviews.ts';
import { isSelfSubjectReview, reviewSelf } from './self-subject-review.ts';
import { withServiceAccounts } from './service-account-admission.ts';
import { internal, noSuchPath, StatusError } from './status.ts';
import { MemoryStore } from './store/memory-store.ts';
import { openSqliteStore } from './store/sqlite-store.ts';
import { CommitFailed, type Store } from './store/store.ts';
import { Views } from './views.ts';
import {
  conversionCall,
  openWebhookCall,
  type WebhookCalls,
  WebhookList,
  type WebhookOptions,
  withWebhooks,
} from './webhooks/index.ts';
import type { Admission } from './write/context.ts';

export interface ApiServerOptions extends AccessOptions {
  /** A file to keep everything in; in memory where absent. */
  readonly file?: string | undefined;
  readonly clock?: Clock;
  readonly random?: Random;
  /** How webhooks are reached: those of admission, and those that convert custom resources. */
  readonly webhooks?: WebhookOptions;
  /**
   * Give Pods a ServiceAccount and its token, as the plugin of that name does. Needs the controllers that make the account `default`
   * in every namespace: without them no Pod would be let in. Default: false.
   */
  readonly serviceAccountAdmission?: boolean;
  /** Told of failures that are the server's own: a bug, or a disk that does not take a write. */
  readonly onError?: (error: unknown) => void;
}

/** Who the process itself is to its own API. */
export const ADMIN: User = Object.freeze({ name: 'capstan-admin', groups: ['system:masters', 'system:authenticated'] });

/**
 * A Kubernetes API server in this process.
 *
 * @example
 * const server = await createApiServer();
 * const client = createClient({ transport: server.transport() });
 */
export async function createApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const storage = new StoreMetrics(options.clock ?? systemClock, options.file);
  const store = options.file === undefined ? new MemoryStore() : openSqliteStore(options.file, storage.timed);
  const server = new ApiServer(store, options, builtinAdmission, storage);
  const { clock, random, access } = server.backend;
  await bootstrap(store, clock, random);
  await access.bootstrap(clock, random);
  return server;
}

/** The plugins that can be left out. */
const pluggedIn = (admission: Admission, { serviceAccountAdmission = false }: ApiServerOptions): Admission =>
  serviceAccountAdmission ? withServiceAccounts(admission) : admission;

export class ApiServer {
  readonly backend: Backend;
  readonly #customResources: CustomResources;
  readonly #onError: (error: unknown) => void;
  readonly #options: ApiServerOptions;
  readonly #admission: Admission;
  readonly #metrics: ServerMetrics;
  readonly #webhooks: WebhookList;
  readonly #calls: WebhookCalls;

  constructor(
    store: Store,
    options: ApiServerOptions,
    admission: Admission = builtinAdmission,
    storage?: StoreMetrics,
  ) {
    const { clock = systemClock, random = systemRandom } = options;
    this.#onError = options.onError ?? (() => {});
    this.#options = options;
    this.#admission = admission;
    const access = openAccess(store, clock, options, this.#onError);
    this.#calls = openWebhookCall({ store, clock, random }, options.webhooks);
    const { call } = this.#calls;
    const kinds = new Kinds();
    const views = new Views(conversionCall(call), random);
    this.#webhooks = new WebhookList(store, kinds);
    const asked = withWebhooks(pluggedIn(admission, options), this.#webhooks, { store, kinds, views, random, call });
    this.backend = {
      store,
      clock,
      random,
      kinds,
      views,
      admission: access.guard(asked),
      access,
      nodes: new NodeAgents(),
    };
    this.#metrics = new ServerMetrics(clock, this.backend.kinds, storage);
    this.#customResources = new CustomResources(this.backend, this.#onError);
  }

  /** The nodes whose Pods have logs, exec, attach and port-forward. A fork begins with none. */
  get nodes(): NodeAgents {
    return this.backend.nodes;
  }

  /** Who sends a request, by its headers: for `listen`. Undefined is answered with 401. */
  get authenticate(): Access['authenticate'] {
    return this.backend.access.authenticate;
  }

  /** Answers one request. Never throws: a failure is an answer too. */
  async handle(request: ServerRequest): Promise<FullAnswer> {
    const warnings: string[] = [];
    const warn = (text: string): void => {
      if (!warnings.includes(text)) warnings.push(text);
    };
    let counted: Counted | undefined;
    try {
      const target = parseTarget(request.path);
      counted = this.#metrics.requests.begin(request, target);
      const acting = request.impersonate ? { ...request, user: actingUser(request) } : request;
      this.backend.access.check(acting, target, request.user);
      const answer = counted.done(await this.#route(acting, target, warn));
      return { answer, headers: answer.kind === 'document' ? answer.headers : {}, warnings };
    } catch (error) {
      const { status, headers } = this.#failure(error);
      const answer = value(status, status.code);
      return { answer: counted?.done(answer) ?? answer, headers, warnings };
    }
  }

  async #route(request: ServerRequest, target: Target | undefined, warn: (text: string) => void): Promise<Answer> {
    const { kinds, clock } = this.backend;
    if (target && kinds.hasGroupVersion(target.group, target.version)) {
      const answer = await handleResource(this.backend, request, target, warn);
      const kind = kinds.find(target.group, target.version, target.plural);
      const view = negotiate(request.headers['accept'])?.view ?? 'Object';
      return represent(answer, view, { kind, query: request.query, clock });
    }
    const document = handleOpenApi(kinds.all(), request);
    if (document) return document;
    const review = target && reviewAt(target);
    if (review) return answerReview(this.backend, request, review, warn);
    if (target && isSelfSubjectReview(target)) return reviewSelf(this.backend, request, target, warn);
    if (request.path === METRICS_PATH) return this.#metrics.answer(this.backend.store);
    const issuer = handleIssuerDiscovery(this.backend.access.serviceAccounts, request);
    if (issuer) return issuer;
    return handleDiscovery(kinds, request) ?? (target ? nothingIn(kinds, target.group) : PAGE_NOT_FOUND);
  }

  /**
   * What a request for exec, attach or port-forward comes to, where the connection can be handed over. Throws a `StatusError` as
   * `handle` answers it.
   */
  openPodStream(request: ServerRequest): PodStream {
    const acting = request.impersonate ? { ...request, user: actingUser(request) } : request;
    const target = parseTarget(request.path);
    this.backend.access.check(acting, target, request.user);
    if (!isPodStream(target)) throw noSuchPath();
    return podStream(this.backend, acting, target);
  }

  get clock(): Clock {
    return this.backend.clock;
  }

  #failure(error: unknown): StatusError {
    if (error instanceof StatusError) return error;
    this.#onError(error);
    if (error instanceof CommitFailed) return internal(error.message);
    return internal('the request failed unexpectedly; the log of the server has the reason');
  }

  /** A transport for the kit's client that needs no socket. */
  transport(user: User = ADMIN): Transport {
    return inProcessTransport(this, this.backend.clock, user);
  }

  /**
   * A copy of everything as it is now, in memory, that goes its own way from here. Watches stay with the original.
   */
  fork(options: Pick<ApiServerOptions, 'clock' | 'random'> = {}): ApiServer {
    const { store, clock, random } = this.backend;
    return new ApiServer(store.fork(), { ...this.#options, clock, random, ...options }, this.#admission);
  }

  async close(): Promise<void> {
    this.#customResources.stop();
    this.#webhooks.stop();
    this.#calls.close();
    this.backend.access.stop();
    await this.backend.store.close();
  }
}

function isPodStream(target: Target | undefined): target is Target {
  if (target?.group !== '' || target.version !== 'v1' || target.plural !== 'pods' || target.watching) return false;
  if (target.namespace === undefined || target.rest.length > 0) return false;
  return target.subresource !== undefined && POD_STREAMS.has(target.subresource);
}
