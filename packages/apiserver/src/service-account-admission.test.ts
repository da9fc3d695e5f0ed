import { createClient, namespaces, type PodSpec, pods, serviceAccounts } from '@capstan/kube';
import { SteppedClock, seededRandom } from '@capstan/lab';
import { beforeEach, describe, expect, it } from 'vitest';
import { type ApiServer, createApiServer } from './server.ts';

const clock = new SteppedClock();
const random = seededRandom(1);
const namespace = 'default';
let server: ApiServer;
beforeEach(async () => {
  server = await createApiServer({ clock, random, serviceAccountAdmission: true });
});

const client = () => createClient({ transport: server.transport(), clock, random });
const containers = [{ name: 'c', image: 'i' }];
const create = (spec: Partial<PodSpec> = {}) =>
  client().create(pods, { metadata: { namespace, name: 'p' }, spec: { containers, ...spec } });
const account = (name: string, rest: object = {}) =>
  client().create(serviceAccounts, { metadata: { namespace, name }, ...rest });

const PATH = '/var/run/secrets/kubernetes.io/serviceaccount';

describe('a new Pod', () => {
  it('acts as the default account and finds its token, the authority and its namespace', async () => {
    await account('default', { imagePullSecrets: [{ name: 'registry' }] });
    const { spec } = await create({ initContainers: [{ name: 'init', image: 'i' }] });
    expect(spec.serviceAccountName).toBe('default');
    expect(spec).toHaveProperty('serviceAccount', 'default');
    expect(spec.imagePullSecrets).toEqual([{ name: 'registry' }]);
    const name = spec.volumes?.[0]?.name;
    expect(name).toMatch(/^kube-api-access-[a-z0-9]{5}$/);
    expect(spec.volumes).toEqual([
      {
        name,
        projected: {
          sources: [
            { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
            { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
            {
              downwardAPI: {
                items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
              },
            },
          ],
          defaultMode: 420,
        },
      },
    ]);
    for (const container of [...spec.containers, ...spec.initContainers!]) {
      expect(container.volumeMounts).toEqual([{ name, readOnly: true, mountPath: PATH }]);
    }
  });

  it('gets no token where it, or its account, does not want one, or something else is mounted there', async () => {
    await account('default', { automountServiceAccountToken: false });
    await account('own');
    expect((await create()).spec.volumes).toBeUndefined();
    await client().delete(pods, { namespace, name: 'p' }, { grace: 0 });
    const refusing = await create({ serviceAccountName: 'own', automountServiceAccountToken: false });
    expect(refusing.spec.volumes).toBeUndefined();
    await client().delete(pods, { namespace, name: 'p' }, { grace: 0 });
    const volumeMounts = [{ name: 'mine', mountPath: PATH }];
    const { spec } = await create({
      serviceAccountName: 'own',
      volumes: [{ name: 'mine', emptyDir: {} }],
      containers: [{ name: 'c', image: 'i', volumeMounts }],
    });
    expect(spec.volumes?.map(({ name }) => name)).toEqual(['mine']);
  });

  it('is refused when its account is not there', async () => {
    await expect(create({ serviceAccountName: 'nobody' })).rejects.toThrow(
      'pods "p" is forbidden: error looking up service account default/nobody: serviceaccount "nobody" not found',
    );
  });

  it('waits a moment for the account of a new namespace', async () => {
    await client().create(namespaces, { metadata: { name: 'new' } });
    const pod = client().create(pods, { metadata: { namespace: 'new', name: 'p' }, spec: { containers } });
    await clock.advance(300);
    await client().create(serviceAccounts, { metadata: { namespace: 'new', name: 'default' } });
    await clock.advance(300);
    expect((await pod).spec.serviceAccountName).toBe('default');
  });
});
