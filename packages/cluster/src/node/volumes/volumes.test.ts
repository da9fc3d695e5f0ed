import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConfigMap, Pod, Secret, Volume } from '@capstan/kube';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeAtomically } from './atomic-writer.ts';
import { mountsOf } from './mounts.ts';
import { type VolumeContext, type VolumeFiles, volumeFiles } from './volume-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-volumes-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const meta = (name: string) => ({ apiVersion: 'v1', metadata: { name, namespace: 'default' } });
const pod: Pod = {
  ...meta('web'),
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default', labels: { b: '2', a: 'x "y"' } },
  spec: { containers: [{ name: 'c', resources: { limits: { cpu: '1500m' } } }] },
};
const context: VolumeContext = {
  pod,
  sources: {
    configMap: name =>
      name === 'cm'
        ? ({ ...meta('cm'), kind: 'ConfigMap', data: { a: '1', b: '2' }, binaryData: { c: 'AAE=' } } as ConfigMap)
        : undefined,
    secret: name => (name === 's' ? ({ ...meta('s'), kind: 'Secret', data: { key: 'aGk=' } } as Secret) : undefined),
  },
  surroundings: { podIP: '127.64.0.1', hostIP: '127.0.0.1', allocatable: { cpu: '4' } },
  token: path => (path === 'token' ? 'secret-token' : undefined),
};
const contents = (volume: Omit<Volume, 'name'>): Record<string, string> =>
  Object.fromEntries(
    Array.from(volumeFiles({ name: 'v', ...volume }, context)!, ([path, file]) => [
      path,
      Buffer.from(file.content).toString('latin1'),
    ]),
  );

describe('a volume made of objects', () => {
  it.each<[string, Omit<Volume, 'name'>, Record<string, string>]>([
    ['all keys of a ConfigMap', { configMap: { name: 'cm' } }, { a: '1', b: '2', c: '\x00\x01' }],
    ['chosen keys of it', { configMap: { name: 'cm', items: [{ key: 'a', path: 'sub/x' }] } }, { 'sub/x': '1' }],
    ['a Secret, decoded', { secret: { secretName: 's' } }, { key: 'hi' }],
    ['nothing of an optional one that is not there', { secret: { secretName: 'no', optional: true } }, {}],
    [
      'fields of the Pod',
      {
        downwardAPI: {
          items: [
            { path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } },
            { path: 'cpu', resourceFieldRef: { containerName: 'c', resource: 'limits.cpu' } },
          ],
        },
      },
      { labels: 'a="x \\"y\\""\nb="2"', cpu: '2' },
    ],
    [
      'all of these together, and a token',
      {
        projected: {
          sources: [
            { configMap: { name: 'cm', items: [{ key: 'b', path: 'b' }] } },
            { secret: { name: 's' } },
            { serviceAccountToken: { path: 'token' } },
          ],
        },
      },
      { b: '2', key: 'hi', token: 'secret-token' },
    ],
  ])('holds %s', (_, volume, expected) => {
    expect(contents(volume)).toEqual(expected);
  });

  it.each<[string, Omit<Volume, 'name'>]>([
    ['configmap "no" not found in namespace "default"', { configMap: { name: 'no' } }],
    [
      'configmap references non-existent config key: z',
      { configMap: { name: 'cm', items: [{ key: 'z', path: 'z' }] } },
    ],
    ['secret "no" not found in namespace "default"', { secret: { secretName: 'no' } }],
  ])('is refused: %s', (message, volume) => {
    expect(() => contents(volume)).toThrow(message);
  });
});

describe('writing a volume', () => {
  const files = (all: Record<string, string>): VolumeFiles =>
    new Map(Object.entries(all).map(([path, content]) => [path, { content: Buffer.from(content), mode: 0o640 }]));
  const visible = (): string[] =>
    readdirSync(folder)
      .filter(name => !name.startsWith('..'))
      .toSorted();

  it('shows files through one link, which changes at once', async () => {
    await writeAtomically(folder, files({ a: '1', 'sub/b': '2' }), 'v1');
    expect(visible()).toEqual(['a', 'sub']);
    expect(readlinkSync(join(folder, 'a'))).toBe('..data/a');
    expect(readlinkSync(join(folder, '..data'))).toBe('..v1');
    expect(readFileSync(join(folder, 'sub/b'), 'utf8')).toBe('2');
    expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o640);

    expect(await writeAtomically(folder, files({ a: 'new', c: '3' }), 'v2')).toBe(true);
    expect(visible()).toEqual(['a', 'c']);
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('new');
    expect(
      readdirSync(folder)
        .filter(name => name.startsWith('..'))
        .toSorted(),
    ).toEqual(['..data', '..v2']);
  });

  it('does nothing where nothing has changed', async () => {
    await writeAtomically(folder, files({ a: '1' }), 'v1');
    expect(await writeAtomically(folder, files({ a: '1' }), 'v2')).toBe(false);
    expect(readlinkSync(join(folder, '..data'))).toBe('..v1');
  });
});

describe('mounting', () => {
  const mount = (more: object) =>
    mountsOf(
      { name: 'c', volumeMounts: [{ name: 'v', mountPath: '/data/', ...more }] },
      new Map([['v', folder]]),
      new Map([['POD', 'p1']]),
    );

  it('takes a part of a volume, which may be named by a variable', async () => {
    expect(await mount({ subPathExpr: 'of/$(POD)', readOnly: true })).toEqual([
      { source: join(folder, 'of/p1'), target: '/data/', readOnly: true },
    ]);
    expect(statSync(join(folder, 'of/p1')).isDirectory()).toBe(true);
  });

  it.each(['../x', 'a/../../x'])('refuses a part outside of it: %s', async subPath => {
    await expect(mount({ subPath })).rejects.toThrow('leads out of volume');
  });
});
