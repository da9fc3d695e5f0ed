import { createApiServer } from '@capstan/apiserver';
import { type Client, configMaps, createClient, secrets } from '@capstan/kube';
import { SteppedClock, seededRandom } from '@capstan/lab';
import { beforeEach, describe, expect, it } from 'vitest';
import { decodeRelease } from '../release/encode.ts';
import { chartOf, configMap, plainRenderer as render } from './chart.fixture.ts';
import { createHelm, type Helm } from './context.ts';
import { install } from './install.ts';
import { uninstall } from './uninstall.ts';

let client: Client;
let helm: Helm;
const chart = chartOf({ documents: [configMap('settings', 'colour: $COLOUR')], notes: 'Enjoy $COLOUR.' });

beforeEach(async () => {
  const clock = new SteppedClock();
  const random = seededRandom(1);
  const server = await createApiServer({ clock, random });
  client = createClient({ transport: server.transport(), clock, random });
  helm = createHelm({ client, namespace: 'default', clock, random });
});

describe('install', () => {
  it('makes the objects, marked as its own, and a record that says deployed', async () => {
    const release = await install(helm, { name: 'web', chart, values: { colour: 'blue' }, render });
    expect(release.info).toMatchObject({ status: 'deployed', description: 'Install complete', notes: 'Enjoy blue.' });
    const settings = await client.get(configMaps, { namespace: 'default', name: 'settings' });
    expect(settings.data).toEqual({ colour: 'blue' });
    expect(settings.metadata.labels).toEqual({ 'app.kubernetes.io/managed-by': 'Helm' });
    expect(settings.metadata.annotations).toEqual({
      'meta.helm.sh/release-name': 'web',
      'meta.helm.sh/release-namespace': 'default',
    });
    const secret = await client.get(secrets, { namespace: 'default', name: 'sh.helm.release.v1.web.v1' });
    expect(secret.type).toBe('helm.sh/release.v1');
    expect(secret.metadata.labels).toMatchObject({ name: 'web', owner: 'helm', status: 'deployed', version: '1' });
    const text = Buffer.from(secret.data!['release']!, 'base64').toString();
    expect(decodeRelease(text)).toMatchObject({
      name: 'web',
      version: 1,
      config: { colour: 'blue' },
      apply_method: 'ssa',
    });
  });

  it('refuses a name that is in use, and objects of others', async () => {
    await install(helm, { name: 'web', chart, values: {}, render });
    await expect(install(helm, { name: 'web', chart, values: {}, render })).rejects.toThrow('still in use');
    await expect(install(helm, { name: 'other', chart, values: {}, render })).rejects.toThrow(
      'ConfigMap "settings" in namespace "default" exists and cannot be imported into the current release: invalid ' +
        'ownership metadata; annotation validation error: key "meta.helm.sh/release-name" must equal "other": current value is "web"',
    );
  });

  it('is undone by uninstall, records included', async () => {
    await install(helm, { name: 'web', chart, values: {}, render });
    await uninstall(helm, { name: 'web' });
    expect((await client.list(secrets, { namespace: 'default', labels: { owner: 'helm' } })).items).toEqual([]);
    await expect(client.get(configMaps, { namespace: 'default', name: 'settings' })).rejects.toThrow('not found');
  });
});
