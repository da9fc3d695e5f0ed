/** A webhook over HTTPS that behaves as its path says, well or badly. For comparing how API servers deal with it. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority, type Json } from '@capstan/kube';
import type { AdmissionRequest, AdmissionReview } from './review.ts';

export interface WebhookServer {
  readonly port: number;
  /** PEM in base64. */
  readonly caBundle: string;
  /** Path and body of what came, since it was last taken. */
  take(): (readonly [string, AdmissionReview])[];
  close(): Promise<void>;
}

export interface ServerCertificate {
  readonly commonName?: string;
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
  readonly validFor?: number;
}

export async function startWebhookServer(names: ServerCertificate = {}): Promise<WebhookServer> {
  const authority = createAuthority({ commonName: 'webhook-ca' });
  const { certificate, key } = authority.issue({ commonName: 'webhook', ipAddresses: ['127.0.0.1'], ...names });
  let seen: (readonly [string, AdmissionReview])[] = [];
  const server: Server = createServer({ cert: certificate, key }, (incoming, outgoing) => {
    void bodyOf(incoming).then(text => {
      const path = incoming.url!.replace(/\?.*/, '');
      if (text === '') return plain(outgoing, 400, `a ${incoming.method} without a review`);
      const review = JSON.parse(text) as AdmissionReview;
      seen.push([path, review]);
      behave(path, review, outgoing);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    caBundle: Buffer.from(authority.certificate).toString('base64'),
    take() {
      const taken = seen;
      seen = [];
      return taken;
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

type Fields = Record<string, Json>;

/** What the webhook answers to a request, beside the uid. */
const RESPONSES: Readonly<Record<string, (request: AdmissionRequest) => Fields>> = {
  '/allow': () => ({ allowed: true }),
  '/deny': () => ({ allowed: false, status: { message: 'not today' } }),
  '/deny-silently': () => ({ allowed: false }),
  '/deny-with-reason': () => ({ allowed: false, status: { reason: 'Forbidden' } }),
  '/deny-with-status': () => ({
    allowed: false,
    status: {
      code: 422,
      reason: 'Invalid',
      message: 'too small',
      details: { name: 'x', causes: [{ field: 'data', message: 'is too small' }] },
    },
  }),
  '/deny-with-success': () => ({ allowed: false, status: { code: 200, status: 'Success', message: 'fine' } }),
  '/warn': () => ({ allowed: true, warnings: ['first', 'second "quoted"'] }),
  '/deny-and-warn': () => ({ allowed: false, warnings: ['mind'], status: { message: 'no' } }),
  '/annotate-audit': () => ({ allowed: true, auditAnnotations: { key: 'value' } }),
  '/wrong-uid': () => ({ uid: 'another', allowed: true }),
  '/no-uid': () => ({ uid: '', allowed: true }),
  '/patch-without-type': () => ({ allowed: true, patch: encoded([add('/data/added', 'x')]) }),
  '/type-without-patch': () => ({ allowed: true, patchType: 'JSONPatch' }),
  '/other-patch-type': () => ({ allowed: true, patch: encoded([add('/data/added', 'x')]), patchType: 'MergePatch' }),
  '/patch-of-garbage': () => ({ allowed: true, patchType: 'JSONPatch', patch: Buffer.from('[{').toString('base64') }),
  '/patch-of-an-object': () => patch({ op: 'add' }),
  '/patch-not-base64': () => ({ allowed: true, patchType: 'JSONPatch', patch: '***' }),
  '/deny-with-patch': () => ({ ...patch([add('/data/added', 'x')]), allowed: false }),
  '/allowed-as-text': () => ({ allowed: 'yes' }),
  '/add-data': () => patch([add('/data/added', 'x')]),
  '/add-more-data': () => patch([add('/data/more', 'y')]),
  '/add-data-once': ({ object }) =>
    'late' in ((object as { data?: object }).data ?? {}) ? { allowed: true } : patch([add('/data/late', 'z')]),
  '/nothing-to-patch': () => patch([]),
  '/replace-same': ({ object }) => patch([replace('/data', (object as { data: Json }).data)]),
  '/add-unknown-field': () => patch([add('/bogus', 'x')]),
  '/add-unknown-spec': () => patch([add('/spec/bogus', 'x')]),
  '/data-as-number': () => patch([add('/data', 5)]),
  '/remove-missing': () => patch([{ op: 'remove', path: '/data/nothing' }]),
  '/unknown-operation': () => patch([{ op: 'turn', path: '/data' }]),
  '/failing-test': () => patch([{ op: 'test', path: '/data/given', value: 'other' }, add('/data/added', 'x')]),
  '/bad-label': () => patch([add('/metadata/labels', { 'not a key': 'x' })]),
  '/add-label': () => patch([add('/metadata/labels', { team: 'red' })]),
  '/rename': () => patch([replace('/metadata/name', 'renamed')]),
  '/move': () => patch([replace('/metadata/namespace', 'default')]),
  '/other-uid': () => patch([add('/metadata/uid', '00000000-0000-4000-8000-000000000000')]),
  '/other-version': () => patch([add('/metadata/resourceVersion', '1')]),
  '/other-times': () =>
    patch([add('/metadata/creationTimestamp', '2001-01-01T00:00:00Z'), add('/metadata/generation', 77)]),
  '/other-kind': () => patch([replace('/kind', 'Nonsense')]),
  '/drop-metadata': () => patch([{ op: 'remove', path: '/metadata' }]),
  '/drop-managers': () => patch([{ op: 'remove', path: '/metadata/managedFields' }]),
  '/break-managers': () => patch([replace('/metadata/managedFields', [{ manager: 'x', operation: 'Nonsense' }])]),
  '/double-owner': () => {
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: '00000000-0000-4000-8000-00000000000a' };
    return patch([add('/metadata/ownerReferences', [owner, owner])]);
  },
  '/replace-all': () => patch([replace('', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'whole' } })]),
  '/add-container': () => patch([add('/spec/containers/-', { name: 'sidecar', image: 'example/sidecar:1' })]),
  '/more-replicas': () => patch([replace('/spec/replicas', 7)]),
  '/set-status': () => patch([add('/status', { phase: 'Done' })]),
};

const add = (path: string, value: Json): Json => ({ op: 'add', path, value });
const replace = (path: string, value: Json): Json => ({ op: 'replace', path, value });
const encoded = (operations: Json): string => Buffer.from(JSON.stringify(operations)).toString('base64');
const patch = (operations: Json): Fields => ({ allowed: true, patchType: 'JSONPatch', patch: encoded(operations) });

/** Answers that are no AdmissionReview with a response. */
const ANSWERS: Readonly<Record<string, (outgoing: ServerResponse, review: AdmissionReview) => void>> = {
  '/hang': () => {},
  '/close': outgoing => outgoing.socket!.destroy(),
  '/500': outgoing => plain(outgoing, 500, 'it broke\n'),
  '/500-as-json': outgoing => json(outgoing, 500, { why: 'it broke' }),
  '/404': outgoing => plain(outgoing, 404, 'nothing here'),
  '/403': outgoing => plain(outgoing, 403, 'go away'),
  '/418': outgoing => plain(outgoing, 418, 'short and stout'),
  '/429': outgoing => plain(outgoing, 429, 'slow down'),
  '/503': outgoing => plain(outgoing, 503, 'later'),
  '/status-object': outgoing =>
    json(outgoing, 409, {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      message: 'busy',
      reason: 'Conflict',
      code: 409,
    }),
  '/redirect': outgoing => outgoing.writeHead(302, { location: '/allow' }).end(),
  '/keep-method': outgoing => outgoing.writeHead(307, { location: '/allow' }).end(),
  '/empty': outgoing => json(outgoing, 200, undefined),
  '/garbage': outgoing => outgoing.writeHead(200, { 'content-type': 'application/json' }).end('}{'),
  '/page': outgoing => plain(outgoing, 200, '<html>hello</html>'),
  '/array': outgoing => json(outgoing, 200, []),
  '/no-kind': (outgoing, { request }) => json(outgoing, 200, { response: { uid: request.uid, allowed: true } }),
  '/other-review': (outgoing, { apiVersion, request }) =>
    json(outgoing, 200, { apiVersion, kind: 'Review', response: { uid: request.uid, allowed: true } }),
  '/older-review': (outgoing, { kind, request }) =>
    json(outgoing, 200, {
      kind,
      apiVersion: 'admission.k8s.io/v1beta1',
      response: { uid: request.uid, allowed: true },
    }),
  '/unanswered': (outgoing, { kind, apiVersion }) => json(outgoing, 200, { kind, apiVersion }),
  '/cut-off': outgoing => {
    outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 });
    outgoing.write('{"kind":', () => outgoing.socket!.destroy());
  },
  '/created': (outgoing, { kind, apiVersion, request }) =>
    json(outgoing, 201, { kind, apiVersion, response: { uid: request.uid, allowed: true } }),
  '/huge': outgoing => {
    outgoing.writeHead(200, { 'content-type': 'application/json' });
    outgoing.end(`{"kind":"${'x'.repeat(8 * 1024 * 1024)}"}`);
  },
};

function behave(path: string, review: AdmissionReview, outgoing: ServerResponse): void {
  const special = ANSWERS[path];
  if (special) {
    special(outgoing, review);
    return;
  }
  const respond = RESPONSES[path];
  if (!respond) throw new Error(`no behaviour ${path}`);
  const { kind, apiVersion, request } = review;
  json(outgoing, 200, { kind, apiVersion, response: { uid: request.uid, ...respond(request) } });
}

function json(outgoing: ServerResponse, code: number, value: unknown): void {
  outgoing.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function plain(outgoing: ServerResponse, code: number, value: string): void {
  outgoing.writeHead(code, { 'content-type': 'text/plain' }).end(value);
}
