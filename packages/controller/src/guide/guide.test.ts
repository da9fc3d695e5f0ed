import { readFile } from 'node:fs/promises';
import { configMaps } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { ensureCrds } from '../crd/ensure-crds.ts';
import { createHome } from '../testing/home.fixture.ts';
import { addGreeter, greetings } from './greeter.fixture.ts';

const guide = new URL('../../../../docs/write-a-controller.md', import.meta.url);
const source = new URL('./greeter.fixture.ts', import.meta.url);

describe('the guide', () => {
  it('shows the code that is tested here, of fewer than 60 lines', async () => {
    const code = await readFile(source, 'utf8');
    const [, shown] = /<!-- the code of \S+ -->\n```ts\n([\s\S]*?)```/.exec(await readFile(guide, 'utf8'))!;
    expect(shown).toBe(code);
    expect(code.trimEnd().split('\n').length).toBeLessThan(60);
  });

  it('keeps the ConfigMap as the Greeting says, whatever happens to either, and then is silent', async () => {
    const home = await createHome();
    const at = { namespace: 'default', name: 'world' };
    await ensureCrds([greetings], home);
    const manager = home.manager();
    addGreeter(manager);
    await manager.start();
    await home.client.create(greetings, { metadata: at, spec: { name: 'World', times: 2 } });
    await home.clock.advance(1_000);
    const text = 'Hello, World! Hello, World!';
    expect((await home.client.get(configMaps, at)).data).toEqual({ text });
    expect((await home.client.get(greetings, at)).status).toEqual({ text });

    await home.client.delete(configMaps, at);
    await home.clock.advance(1_000);
    expect((await home.client.get(configMaps, at)).data).toEqual({ text });

    await home.client.patch(greetings, at, { merge: { spec: { times: 1 } } });
    await home.clock.advance(1_000);
    expect((await home.client.get(greetings, at)).status).toEqual({ text: 'Hello, World!' });

    const before = (await home.client.list(configMaps)).metadata.resourceVersion;
    await home.clock.advance(3_600_000);
    expect((await home.client.list(configMaps)).metadata.resourceVersion).toBe(before);
    await manager.stop();
  });
});
