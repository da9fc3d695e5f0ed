import { expect, it } from 'vitest';
import { CONFIGMAPS, configMap, converse } from '../conversation.fixture.ts';
import { admissionWebhook } from './admission-webhook.ts';
import { VALIDATING, webhookOf } from './webhooks.fixture.ts';

it('the example of the manual refuses what it says', async () => {
  const api = await converse({
    webhooks: {
      functions: {
        'https://policy.example.com/names': admissionWebhook(({ name }) =>
          name === 'forbidden' ? { allowed: false, message: 'choose another name' } : { allowed: true },
        ),
      },
    },
  });
  const clientConfig = { url: 'https://policy.example.com/names' };
  await api.post(VALIDATING, { metadata: { name: 'names' }, webhooks: [webhookOf('names', { clientConfig })] });
  expect((await api.post(CONFIGMAPS, configMap('forbidden'))).body['message']).toBe(
    'admission webhook "names.example.com" denied the request: choose another name',
  );
  expect((await api.post(CONFIGMAPS, configMap('other'))).status).toBe(201);
  await api.server.close();
});

it('a decision becomes a response in the version of the review', async () => {
  const decide = admissionWebhook(() => ({
    allowed: true,
    patch: [{ op: 'add', path: '/data', value: {} }],
    warnings: ['careful'],
  }));
  const review = { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1beta1', request: { uid: '7' } };
  expect(await decide(review, new AbortController().signal)).toEqual({
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1beta1',
    response: {
      uid: '7',
      allowed: true,
      patchType: 'JSONPatch',
      patch: Buffer.from('[{"op":"add","path":"/data","value":{}}]').toString('base64'),
      warnings: ['careful'],
    },
  });
});
