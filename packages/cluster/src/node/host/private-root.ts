/**
 * A file system of a container's own: an overlay of the machine's, in which what the container writes is its alone, with its volumes
 * mounted where it asked for them. As root in a mount namespace; without, in a user namespace as well.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Mount, PrivateRoot } from './container-runtime.ts';

/** How a container gets a root of its own on this machine: as root, by a user namespace, or not at all. */
export type RootMode = 'root' | 'user' | 'none';

/**
 * `$1` the folder, `$2` options of the overlay, `$3` the working directory; then for each mount its sort, source and target, `--`, the
 * command. Relative paths, since a colon or a comma in an overlay's options means something else.
 */
const SCRIPT = `
set -e
cd "$1"; options=$2 cwd=$3; shift 3
mount -t overlay overlay -o "lowerdir=/,upperdir=upper,workdir=work$options" merged
number=0
while [ "$1" != -- ]; do
  sort=$1 source=$2 target=merged$3; shift 3
  if [ -d "$source" ]; then mkdir -p "$target"; else mkdir -p "\${target%/*}"; [ -e "$target" ] || : >"$target"; fi
  case $sort in
    overlay)
      number=$((number + 1)); mkdir -p "more/$number/upper" "more/$number/work"
      mount -t overlay overlay -o "lowerdir=$source,upperdir=more/$number/upper,workdir=more/$number/work$options" "$target" ;;
    *) mount --rbind "$source" "$target" ;;
  esac
  if [ "$sort" = readonly ]; then mount -o remount,bind,ro "$target"; fi
done
shift
mkdir -p "merged$cwd"
exec chroot merged /bin/sh -c 'cd "$1" && shift && exec "$@"' sh "$cwd" "$@"
`;

const UNSHARE: Readonly<Record<Exclude<RootMode, 'none'>, readonly string[]>> = {
  root: ['unshare', '--mount', '--propagation', 'private'],
  user: ['unshare', '--user', '--map-root-user', '--mount', '--propagation', 'private'],
};

/** The command that runs `command` in such a root. It becomes that command: the pid stays. */
export function inPrivateRoot(
  { folder, mounts }: PrivateRoot,
  workingDir: string,
  command: readonly string[],
  mode: RootMode,
): readonly string[] {
  if (mode === 'none') throw new Error('there is no private root on this machine');
  const targets = mounts.map(mount => ({ ...mount, target: resolvedTarget(mount.target) }));
  const steps = [
    ...machineMounts(targets),
    ...targets.toSorted((a, b) => a.target.length - b.target.length).map(volumeStep),
  ];
  const options = mode === 'user' ? ',userxattr' : '';
  return [
    ...UNSHARE[mode],
    '/bin/sh',
    '-c',
    SCRIPT,
    'capstan-root',
    folder,
    options,
    workingDir,
    ...steps.flat(),
    '--',
    ...command,
  ];
}

/** The command that runs `command` in the root of a process that is there. */
export function inRunningRoot(pid: number, command: readonly string[], mode: RootMode): readonly string[] {
  const user = mode === 'user' ? ['--user', '--preserve-credentials'] : [];
  return [
    'nsenter',
    '--target',
    String(pid),
    ...user,
    '--mount',
    `--root=/proc/${pid}/root`,
    `--wd=/proc/${pid}/cwd`,
    ...command,
  ];
}

export async function prepareRoot({ folder }: PrivateRoot): Promise<void> {
  for (const name of ['upper', 'work', 'merged']) await mkdir(join(folder, name), { recursive: true });
}

export async function removeRoot({ folder }: PrivateRoot): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => {});
}

type Step = readonly [sort: 'bind' | 'readonly' | 'overlay', source: string, target: string];

const volumeStep = ({ source, target, readOnly }: Mount): Step => [readOnly ? 'readonly' : 'bind', source, target];

/**
 * An overlay shows one file system. The others of the machine are bound in, or overlaid as well where a volume goes below: making its directory
 * must not leave one on the machine.
 */
function machineMounts(volumes: readonly Mount[]): Step[] {
  const points = mountPoints(readFileSync('/proc/self/mountinfo', 'utf8'));
  return points
    .filter(point => existsSync(point))
    .map(point => {
      const holdsVolume = volumes.some(({ target }) => target === point || target.startsWith(`${point}/`));
      return [holdsVolume && !/^\/(proc|sys|dev)$/.test(point) ? 'overlay' : 'bind', point, point];
    });
}

/** The topmost mount points below the root; what is mounted further down comes with them. */
export function mountPoints(mountinfo: string): string[] {
  const all = mountinfo
    .split('\n')
    .map(line => unescapePath(line.split(' ')[4] ?? ''))
    .filter(point => point !== '' && point !== '/');
  const topmost = new Set(all.filter(point => !all.some(other => point.startsWith(`${other}/`))));
  return [...topmost].toSorted();
}

const unescapePath = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));

/** Where a path of the container leads: links of the machine (`/var/run`) are followed here, since outside of the root they lead astray. */
function resolvedTarget(path: string): string {
  if (path === '/' || path === '') return '/';
  try {
    return realpathSync(path);
  } catch {
    return join(resolvedTarget(dirname(path)), basename(path));
  }
}

/** Tries what this machine allows, in `folder`, where the roots will be. */
export async function detectRootMode(folder: string): Promise<RootMode> {
  for (const mode of process.getuid?.() === 0 ? (['root', 'user'] as const) : (['user'] as const)) {
    if (await works(mode, folder)) return mode;
  }
  return 'none';
}

async function works(mode: RootMode, folder: string): Promise<boolean> {
  const trial = join(folder, 'trial');
  const volume = join(trial, 'volume');
  try {
    mkdirSync(volume, { recursive: true });
    await prepareRoot({ folder: trial, mounts: [] });
    const root = { folder: trial, mounts: [{ source: volume, target: '/capstan-trial', readOnly: false }] };
    const [program, ...args] = inPrivateRoot(root, '/', ['test', '-d', '/capstan-trial'], mode);
    const child = spawn(program!, args, { stdio: 'ignore', detached: true });
    const [code] = (await once(child, 'exit')) as [number | null];
    return code === 0;
  } catch {
    return false;
  } finally {
    rmSync(trial, { recursive: true, force: true });
  }
}
