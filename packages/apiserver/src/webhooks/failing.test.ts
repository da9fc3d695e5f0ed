import { drained } from '@capstan/lab';
import { afterEach, describe, expect, it } from 'vitest';
import { CONFIGMAPS, configMap } from '../conversation.fixture.ts';
import { admissionWebhook } from './admission-webhook.ts';
import { addData, type Hooked, VALIDATING, webhookOf, withHooks } from './webhooks.fixture.ts';

let api: Hooked;
afterEach(() => api.server.close());

describe('a webhook of the process', () => {
  it('that does not answer in time fails the request', async () => {
    api = await withHooks(['a']);
    await api.validating('a', () => new Promise(() => {}), { timeoutSeconds: 3 });
    const answer = api.post(CONFIGMAPS, configMap('one'));
    await drained();
    await api.clock.advance(3_000);
    expect(await answer).toMatchObject({
      status: 500,
      body: {
        reason: 'InternalError',
        message:
          'Internal error occurred: failed calling webhook "a.example.com": failed to call webhook: context deadline exceeded',
      },
    });
  });

  it('hears that nobody waits for it any more', async () => {
    api = await withHooks(['a']);
    let signal: AbortSignal | undefined;
    const decide = (_: unknown, given: AbortSignal): Promise<never> => {
      signal = given;
      return new Promise(() => {});
    };
    await api.validating('a', decide, { timeoutSeconds: 1, failurePolicy: 'Ignore' });
    const answer = api.post(CONFIGMAPS, configMap('one'));
    await drained();
    expect(signal?.aborted).toBe(false);
    await api.clock.advance(1_000);
    expect((await answer).status).toBe(201);
    expect(signal?.aborted).toBe(true);
  });

  it('that throws counts as not reached', async () => {
    api = await withHooks(['a', 'b']);
    await api.mutating('a', () => Promise.reject(new Error('out of order')), { failurePolicy: 'Ignore' });
    expect((await api.post(CONFIGMAPS, configMap('one'))).status).toBe(201);
    await api.mutating('b', () => Promise.reject(new Error('out of order')));
    expect((await api.post(CONFIGMAPS, configMap('two'))).body['message']).toBe(
      'Internal error occurred: failed calling webhook "b.example.com": failed to call webhook: out of order',
    );
  });

  it('cannot change what it is shown, only say what to change', async () => {
    api = await withHooks(['a']);
    await api.validating('a', ({ object }) => {
      (object as { data: Record<string, string> }).data['a'] = 'changed';
      return { allowed: true };
    });
    expect((await api.post(CONFIGMAPS, configMap('one', { a: 'b' }))).body['data']).toEqual({ a: 'b' });
  });

  it('that writes what it is asked about itself is stopped', async () => {
    api = await withHooks(['a']);
    let times = 0;
    await api.mutating('a', async () => {
      const { status } = await api.post(CONFIGMAPS, configMap(`more-${times++}`));
      return { allowed: status === 201 };
    });
    expect((await api.post(CONFIGMAPS, configMap('one'))).status).toBe(400);
    expect(times).toBe(16);
  });

  it('goes with the server into a fork, where other configurations may come', async () => {
    api = await withHooks(['a']);
    await api.mutating('a', addData('added', 'x'));
    const fork = api.server.fork();
    const body = configMap('one', { given: 'y' });
    await api.remove('/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/a');
    const forked = await fork.transport().request({ method: 'POST', path: CONFIGMAPS, body });
    expect(forked.body).toMatchObject({ data: { added: 'x' } });
    expect((await api.post(CONFIGMAPS, body)).body['data']).toEqual({ given: 'y' });
    await fork.close();
  });
});

describe('on a stepped clock', () => {
  it('nobody outside of the process is called', async () => {
    api = await withHooks(['a']);
    await api.post(VALIDATING, {
      metadata: { name: 'x' },
      webhooks: [webhookOf('x', { clientConfig: { url: 'https://127.0.0.1:1/' } })],
    });
    const { status, body } = await api.post(CONFIGMAPS, configMap('one'));
    expect([status, body['message']]).toEqual([
      500,
      'Internal error occurred: failed calling webhook "x.example.com": failed to call webhook: this server calls only webhooks of its own process',
    ]);
  });

  it('the Service of a webhook can be a function, by its name', async () => {
    const functions = {
      'https://policy.kube-system.svc/check': admissionWebhook(() => ({ allowed: false, message: 'no' })),
    };
    api = await withHooks([], { webhooks: { functions } });
    const service = { namespace: 'kube-system', name: 'policy', path: '/check' };
    await api.post(VALIDATING, { metadata: { name: 'x' }, webhooks: [webhookOf('x', { clientConfig: { service } })] });
    expect((await api.post(CONFIGMAPS, configMap('one'))).status).toBe(400);
  });
});
