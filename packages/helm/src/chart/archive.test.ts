import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HelmError } from '../errors.ts';
import { chartArchive, type Entry } from '../testing/archives.ts';
import { loadArchive } from './load.ts';

const chartfile = { name: 'shop/Chart.yaml', data: 'apiVersion: v2\nname: shop\nversion: 1.0.0\n' };

const load = async (...entries: Entry[]) => loadArchive(await chartArchive([chartfile, ...entries]));

describe('a chart archive', () => {
  it('is a chart, subcharts packed within it included', async () => {
    const inner = await chartArchive({ 'db/Chart.yaml': 'name: db\nversion: 2.0.0\n', 'db/templates/a.yaml': 'a: 1' });
    const chart = await load(
      { name: 'shop/charts/db-2.0.0.tgz', data: inner },
      { name: 'shop/templates/a.yaml', data: '\uFEFFa: 1' },
    );
    expect(chart.dependencies.map(child => child.metadata.name)).toEqual(['db']);
    expect(new TextDecoder().decode(chart.templates[0]!.data)).toBe('a: 1');
  });

  it.each<[string, Entry, string]>([
    ['a path to the parent', { name: 'shop/../../etc/passwd' }, 'references parent directory'],
    ['an absolute path', { name: 'shop//etc/passwd' }, 'absolute paths'],
    ['a path of another system', { name: 'shop\\..\\..\\x' }, 'references parent directory'],
    ['a drive', { name: 'shop/c:/x' }, 'illegally named files'],
    ['a file beside the chart', { name: 'file' }, 'content outside the base directory'],
    ['Chart.yaml beside the chart', { name: 'Chart.yaml/x' }, 'chart yaml not in base directory'],
    ['a symbolic link', { name: 'shop/a', type: 'symlink', linkname: '/etc/passwd' }, 'a symbolic link'],
    ['a hard link', { name: 'shop/a', type: 'link', linkname: 'shop/Chart.yaml' }, 'a hard link'],
    ['a device', { name: 'shop/a', type: 'character-device' }, 'an entry of type character-device'],
  ])('with %s is refused', async (_, entry, message) => {
    await expect(load(entry)).rejects.toThrow(message);
  });

  it('that is larger than the limits is refused, before it fills the memory', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    await expect(loadArchive(bomb)).rejects.toThrow('expands more than 200 times');
    const big = await chartArchive([chartfile, { name: 'shop/a', data: 'x'.repeat(5000) }]);
    await expect(loadArchive(big, { limits: { bytes: 4000 } })).rejects.toThrow('larger than the maximum size 4000');
    await expect(loadArchive(big, { limits: { entries: 1 } })).rejects.toThrow('more than 1 files');
    await expect(loadArchive(big, { limits: { packedBytes: 10 } })).rejects.toThrow('larger than the maximum size 10');
  });

  it('of charts within charts within charts ends', async () => {
    let inner = await chartArchive([chartfile]);
    for (let depth = 0; depth < 40; depth++) {
      inner = await chartArchive([chartfile, { name: 'shop/charts/shop.tgz', data: inner }]);
    }
    await expect(loadArchive(inner)).rejects.toThrow('nested too deeply');
  });

  it('that is no archive is refused with a reason', async () => {
    await expect(loadArchive(new TextEncoder().encode('a: 1'))).rejects.toThrow('gzipped archive');
    await expect(loadArchive(gzipSync('not a tar'))).rejects.toThrow(HelmError);
  });

  it('of any bytes ends in a chart or an error of ours', async () => {
    const good = await chartArchive([chartfile, { name: 'shop/templates/a.yaml', data: 'a: {{ 1 }}' }]);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 64 }), fc.nat(good.length - 1), async (noise, at) => {
        const broken = Uint8Array.from(good);
        broken.set(noise.subarray(0, good.length - at), at);
        const outcome = await loadArchive(broken).catch((error: unknown) => error);
        expect(outcome instanceof Error ? outcome : undefined).toSatisfy(
          (error: unknown) => error === undefined || error instanceof HelmError,
        );
      }),
      { numRuns: 200 },
    );
  });
});
