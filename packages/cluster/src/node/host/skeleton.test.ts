import { expect, it } from 'vitest';
import { mountPoints } from './mount-points.ts';
import { type Entry, planSkeleton } from './skeleton.ts';
import { Sweeper } from './sweeper.ts';

const machine: Record<string, Entry[]> = {
  '/': [
    { name: 'etc', type: 'directory' },
    { name: 'usr', type: 'directory' },
    { name: 'bin', type: 'link', to: 'usr/bin' },
  ],
  '/etc': [
    { name: 'passwd', type: 'file' },
    { name: 'redis', type: 'directory' },
    { name: 'mtab', type: 'link', to: '../proc/self/mounts' },
  ],
};
const list = (path: string): Entry[] => machine[path] ?? [];

it('a volume at the top leaves everything else as it is', () => {
  expect(planSkeleton(['/data'], list)).toEqual({
    directories: [],
    links: [{ path: '/bin', to: 'usr/bin' }],
    binds: [
      { source: '/etc', target: '/etc' },
      { source: '/usr', target: '/usr' },
    ],
  });
});

it('a volume inside of a directory makes that anew, with links to what it holds', () => {
  expect(planSkeleton(['/etc/redis', '/etc/new/deep'], list)).toEqual({
    directories: ['/etc', '/etc/new'],
    links: [
      { path: '/bin', to: 'usr/bin' },
      { path: '/etc/passwd', to: '/.capstan/etc/passwd' },
      { path: '/etc/mtab', to: '../proc/self/mounts' },
    ],
    binds: [
      { source: '/usr', target: '/usr' },
      { source: '/etc', target: '/.capstan/etc' },
    ],
  });
});

it('of mount points only the topmost count', () => {
  const line = (point: string) => `22 27 0:21 / ${point} rw,relatime - proc proc rw`;
  const table = ['/', '/dev', '/dev/pts', '/mnt/with\\040blank', '/proc'].map(line).join('\n');
  expect(mountPoints(`${table}\n`)).toEqual(['/dev', '/mnt/with blank', '/proc']);
});

it('one look at all processes answers for every container that asked meanwhile', async () => {
  const looks: string[][] = [];
  const sweeper = new Sweeper(async ids => void looks.push([...ids]));
  const first = sweeper.sweep('a');
  await Promise.all([first, sweeper.sweep('b'), sweeper.sweep('c')]);
  await sweeper.sweep('d');
  expect(looks).toEqual([['a', 'b', 'c'], ['d']]);
});
