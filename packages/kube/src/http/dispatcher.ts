/** Connections: pools with TLS, a client certificate that may change, and proxies. */
import type { Dispatcher, Pool } from 'undici';
import type { Credential } from './credentials.ts';

export interface TlsSettings {
  /** Certificates of the authorities to trust (PEM). Default: those that Node brings. */
  readonly authority?: string | undefined;
  /** Checked against the certificate in place of the host in the address. */
  readonly serverName?: string | undefined;
  /** Trusts anyone. For experiments. */
  readonly insecure?: boolean | undefined;
}

export interface ConnectionSettings {
  readonly origin: string;
  readonly tls: TlsSettings;
  /** `http://`, `https://` or `socks5://`, with user and password if the proxy wants them. */
  readonly proxy: string | undefined;
  readonly connectTimeout: number;
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
  readonly largestResponse: number;
  readonly connections: number;
}

export interface Dispatchers {
  /** Keeps a bounded number of connections alive: a burst of requests queues here instead of flooding the server. */
  readonly requests: Dispatcher;
  /** One connection for each watch, for as long as it lasts, so that watches never hold up requests. */
  readonly watches: Dispatcher;
}

/** Opens pools when first used, and new ones when the client certificate changes; old ones end with their last request. */
export class Connections {
  readonly #settings: ConnectionSettings;
  readonly #opened = new Set<Dispatchers>();
  #certificate: Credential['certificate'];
  #current: Promise<Dispatchers> | undefined;
  #closed = false;

  constructor(settings: ConnectionSettings) {
    this.#settings = settings;
  }

  for(certificate: Credential['certificate']): Promise<Dispatchers> {
    if (this.#current === undefined || !sameCertificate(certificate, this.#certificate)) {
      const previous = this.#current;
      this.#certificate = certificate;
      this.#current = this.#open(certificate);
      if (previous !== undefined) void this.#retire(previous);
    }
    return this.#current;
  }

  async close(): Promise<void> {
    this.#closed = true;
    // Requests that come later have to find something closed, so there has to be something.
    this.#current ??= this.#open(undefined);
    await this.#current;
    await Promise.all([...this.#opened].map(destroy));
  }

  async #open(certificate: Credential['certificate']): Promise<Dispatchers> {
    const dispatchers = await openDispatchers(this.#settings, certificate);
    this.#opened.add(dispatchers);
    if (this.#closed) await destroy(dispatchers);
    return dispatchers;
  }

  async #retire(previous: Promise<Dispatchers>): Promise<void> {
    const dispatchers = await previous;
    // Destroyed meanwhile, if it rejects: as good as closed.
    await Promise.allSettled([dispatchers.requests.close(), dispatchers.watches.close()]);
    this.#opened.delete(dispatchers);
  }
}

async function destroy({ requests, watches }: Dispatchers): Promise<void> {
  await Promise.all([requests.destroy(), watches.destroy()]);
}

function sameCertificate(left: Credential['certificate'], right: Credential['certificate']): boolean {
  return left === right || (left?.certificate === right?.certificate && left?.key === right?.key);
}

async function openDispatchers(
  settings: ConnectionSettings,
  certificate: Credential['certificate'],
): Promise<Dispatchers> {
  const undici = await import('undici');
  const common: Pool.Options = {
    headersTimeout: settings.headersTimeout,
    bodyTimeout: settings.bodyTimeout,
    // Watches over HTTP/2 would share one connection, and with it one flow-control window: a slow reader of one watch
    // would stall the others. It is also where Node-based clients were found to leak.
    allowH2: false,
  };
  const secure = {
    timeout: settings.connectTimeout,
    keepAlive: true,
    // Notices a peer that vanished without a word, long before the default of two hours.
    keepAliveInitialDelay: 30_000,
    ca: settings.tls.authority,
    servername: settings.tls.serverName,
    rejectUnauthorized: !settings.tls.insecure,
    cert: certificate?.certificate,
    key: certificate?.key,
  };
  const connect = Object.fromEntries(Object.entries(secure).filter(([, value]) => value !== undefined));
  const open = (options: Pool.Options): Dispatcher => {
    const { proxy, origin } = settings;
    if (proxy === undefined) return new undici.Pool(origin, { ...common, ...options, connect });
    if (proxy.startsWith('socks')) {
      return new undici.Socks5ProxyAgent(proxy, { ...common, ...options, requestTls: connect } as object);
    }
    const { href, username, password } = new URL(proxy);
    const user = decodeURIComponent(username);
    const token =
      user === ''
        ? {}
        : { token: `Basic ${Buffer.from(`${user}:${decodeURIComponent(password)}`).toString('base64')}` };
    return new undici.ProxyAgent({ ...common, ...options, uri: href, ...token, requestTls: connect });
  };
  return {
    requests: open({ connections: settings.connections, maxResponseSize: settings.largestResponse }),
    watches: open({}),
  };
}
