import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { builtinImages, imageIdOf, parseImageName, resolveImage } from './catalogue.ts';

const catalogue = { 'capstan/x': { description: 'x', command: ['run', 'it'], args: ['--slow'], env: { A: '1' } } };

describe('an image', () => {
  it.each<[string, object | undefined]>([
    ['capstan/demo-http', { repository: 'capstan/demo-http', tag: 'latest' }],
    ['capstan/demo-http:2', { repository: 'capstan/demo-http', tag: '2' }],
    ['localhost:5000/a/b:v1.2-rc', { repository: 'localhost:5000/a/b', tag: 'v1.2-rc' }],
    ['localhost:5000/a', { repository: 'localhost:5000/a', tag: 'latest' }],
    [`nginx@sha256:${'a'.repeat(64)}`, { repository: 'nginx', tag: 'latest' }],
    ['Not An Image', undefined],
    ['', undefined],
  ])('%j is taken apart', (image, expected) => {
    expect(parseImageName(image)).toEqual(expected);
  });

  it('of the catalogue runs its command, with its tag as VERSION', () => {
    expect(resolveImage({ image: 'capstan/x:7' }, catalogue)).toEqual({
      type: 'runs',
      command: ['run', 'it', '--slow'],
      env: { VERSION: '7', A: '1' },
    });
  });

  it('takes the arguments of the container instead of its own', () => {
    expect(resolveImage({ image: 'capstan/x', args: ['--fast'] }, catalogue)).toMatchObject({
      command: ['run', 'it', '--fast'],
    });
  });

  it('that is not known runs what the container brings, from this machine', () => {
    const wanted = { image: 'busybox', command: ['sleep'], args: ['1'] };
    expect(resolveImage(wanted, catalogue)).toEqual({ type: 'runs', command: ['sleep', '1'], env: {} });
  });

  it('that is not known and brings no command cannot run, and the message helps', () => {
    const { message } = resolveImage({ image: 'nginx:1' }, catalogue) as { message: string };
    expect(message).toMatch(/image "nginx:1" is not known here.*capstan\/x.*command/);
  });

  it('that is no name of one is said to be none', () => {
    expect(resolveImage({ image: 'A B' }, catalogue).type).toBe('invalid');
  });

  it('has an identity that stays', () => {
    expect([imageIdOf('capstan/x'), imageIdOf('capstan/x:2')]).toEqual([
      'capstan://capstan/x:latest',
      'capstan://capstan/x:2',
    ]);
  });
});

it('the programs of built-in images are there', () => {
  const files = Object.values(builtinImages).flatMap(({ command }) => command.filter(word => word.endsWith('.mjs')));
  expect(files).toHaveLength(2);
  expect(files.filter(file => !existsSync(file))).toEqual([]);
});
