import { Agent, request } from 'undici';
import type { Method } from './script.ts';

/** An API server that scripts can be sent to: what `startRealApiServer` returns, or the embedded one's address. */
export interface Address {
  readonly url: string;
  /** PEM in base64, as a kubeconfig holds it. */
  readonly caData: string;
  readonly token: string;
}

export interface Request {
  readonly method: Method;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly warnings: readonly string[];
  readonly body: unknown;
}

export interface Target {
  send(request: Request): Promise<Answer>;
  /** Reads that many events, or fewer when the stream ends or nothing comes for a while; a refusal comes as its answer. */
  watch(request: Request, events: number): Promise<Answer | { readonly events: unknown[] }>;
  close(): Promise<void>;
}

/** How long a watch may be silent before it counts as having nothing more to say. */
const silence = 3_000;

export function connect({ url, caData, token }: Address): Target {
  const dispatcher = new Agent({ connect: { ca: Buffer.from(caData, 'base64') } });
  const open = (wanted: Request, signal?: AbortSignal) =>
    request(`${url}${wanted.path}`, {
      method: wanted.method,
      query: wanted.query,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        'user-agent': 'script/1.0',
        ...wanted.headers,
      },
      body: wanted.body ?? null,
      dispatcher,
      ...(signal && { signal }),
    });
  type Opened = Awaited<ReturnType<typeof open>>;
  const answerOf = async ({ statusCode, headers, body }: Opened): Promise<Answer> => ({
    status: statusCode,
    contentType: String(headers['content-type'] ?? ''),
    warnings: splitWarnings([headers['warning'] ?? []].flat()),
    body: parse(await body.text()),
  });
  return {
    send: async wanted => answerOf(await open(wanted)),
    watch: async (wanted, count) => {
      const controller = new AbortController();
      const opened = await open(wanted, controller.signal);
      if (opened.statusCode !== 200) return answerOf(opened);
      const events: unknown[] = [];
      const timer = setTimeout(() => controller.abort(), silence);
      try {
        for await (const line of lines(opened.body)) {
          events.push(parse(line));
          if (events.length === count) break;
          timer.refresh();
        }
      } catch (error) {
        if (!controller.signal.aborted) throw error;
      } finally {
        clearTimeout(timer);
        controller.abort();
      }
      return { events };
    },
    close: () => dispatcher.destroy(),
  };
}

/** Several warnings come as several headers or, which means the same, as one. */
function splitWarnings(headers: readonly string[]): string[] {
  return headers.flatMap(header => header.split(/, (?=\d{3} )/));
}

async function* lines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    const parts = (rest + chunk.toString('utf8')).split('\n');
    rest = parts.pop()!;
    yield* parts.filter(part => part !== '');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
