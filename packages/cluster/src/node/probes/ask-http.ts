/** httpGet: a status from 200 to 399 is health. */
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { ProbeAction } from '@capstan/kube';
import type { ProbeAnswer } from './probing.ts';

export type HttpGet = NonNullable<ProbeAction['httpGet']>;

/** More of an answer than this is not read: a probe asks for health, not for content. */
const MOST_BODY = 10_240;

export function askHttp(get: HttpGet, host: string, port: number, signal: AbortSignal): Promise<ProbeAnswer> {
  const { path = '/', scheme = 'HTTP', httpHeaders = [] } = get;
  const target = path.startsWith('/') ? path : `/${path}`;
  const url = `${scheme.toLowerCase()}://${host}:${port}${target}`;
  const headers: Record<string, string> = { 'user-agent': 'kube-probe/1.37', accept: '*/*', connection: 'close' };
  for (const { name, value } of httpHeaders) headers[name.toLowerCase()] = value;
  const request = scheme === 'HTTPS' ? httpsRequest : httpRequest;
  return new Promise(resolve => {
    const failed = (why: string): void => resolve({ ok: false, message: `Get ${JSON.stringify(url)}: ${why}` });
    // Certificates are not looked at: a probe asks whether it answers, not who it is.
    const sent = request({ host, port, path: target, headers, signal, agent: false, rejectUnauthorized: false });
    sent.on('response', response => {
      const { statusCode = 0 } = response;
      let read = 0;
      response.on('data', (chunk: Buffer) => {
        read += chunk.length;
        if (read > MOST_BODY) response.destroy();
      });
      response.on('error', () => {});
      if (statusCode >= 200 && statusCode < 400) resolve({ ok: true });
      else resolve({ ok: false, message: `HTTP probe failed with statuscode: ${statusCode}` });
    });
    sent.on('error', error => failed(explained(error, host, port, signal)));
    sent.end();
  });
}

/** In the words that people know from kubelets. */
export function explained(error: Error, host: string, port: number, signal: AbortSignal): string {
  if (signal.aborted) return 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ECONNREFUSED') return `dial tcp ${host}:${port}: connect: connection refused`;
  return error.message;
}
