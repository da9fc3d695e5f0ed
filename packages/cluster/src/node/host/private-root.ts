/**
 * A file system of a container's own: the machine's, in which its volumes are mounted where it asked for them. As root it is an overlay,
 * so that what the container writes is its alone; in a user namespace it is put together from bound directories (skeleton.ts).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Mount, PrivateRoot } from './container-runtime.ts';
import { mountPoints } from './mount-points.ts';
import { removeTree } from './remove-tree.ts';
import { listMachine, makeSkeleton, planSkeleton } from './skeleton.ts';

/** How a container gets a root of its own on this machine: as root, by a user namespace, or not at all. */
export type RootMode = 'root' | 'user' | 'none';

/**
 * `$1` the folder, `$2` the working directory; then for each mount its sort, source and target, `--`, the command. Relative paths, since
 * a colon or a comma in an overlay's options means something else. In the end it says on descriptor 3 that the command comes next.
 */
const SCRIPT = `
set -e
cd "$1"; cwd=$2; shift 2
number=0
while [ "$1" != -- ]; do
  sort=$1 source=$2 target=merged$3; shift 3
  if [ -d "$source" ]; then mkdir -p "$target"; else mkdir -p "\${target%/*}"; [ -e "$target" ] || : >"$target"; fi
  case $sort in
    overlay)
      number=$((number + 1)); mkdir -p "layers/$number/upper" "layers/$number/work"
      mount -t overlay overlay -o "lowerdir=$source,upperdir=layers/$number/upper,workdir=layers/$number/work" "$target" ;;
    *) mount --rbind "$source" "$target" ;;
  esac
  if [ "$sort" = readonly ]; then mount -o remount,bind,ro "$target"; fi
done
shift
mkdir -p "merged$cwd"
exec chroot merged /bin/sh -c 'cd "$1" && shift && { echo up >&3; } 2>/dev/null; exec 3<&-; exec "$@"' sh "$cwd" "$@"
`;

const UNSHARE: Readonly<Record<Exclude<RootMode, 'none'>, readonly string[]>> = {
  root: ['unshare', '--mount', '--propagation', 'private'],
  user: ['unshare', '--user', '--map-root-user', '--mount', '--propagation', 'private'],
};

type Step = readonly [sort: 'bind' | 'readonly' | 'overlay', source: string, target: string];

/** Makes what has to be on disk and gives the command that runs `command` in the root. It becomes that command: the pid stays. */
export async function inPrivateRoot(
  { folder, mounts }: PrivateRoot,
  workingDir: string,
  command: readonly string[],
  mode: RootMode,
): Promise<readonly string[]> {
  if (mode === 'none') throw new Error('there is no private root on this machine');
  const volumes = mounts.map(mount => ({ ...mount, target: resolvedTarget(mount.target) }));
  await mkdir(join(folder, 'merged'), { recursive: true });
  const machine = mode === 'root' ? overlaid(volumes) : boundIn(join(folder, 'merged'), volumes);
  // What is mounted inside of something else comes after it.
  const own = volumes.toSorted((a, b) => a.target.length - b.target.length).map(volumeStep);
  const steps = [...machine, ...own].flat();
  return [...UNSHARE[mode], '/bin/sh', '-c', SCRIPT, 'capstan-root', folder, workingDir, ...steps, '--', ...command];
}

/** The command that runs `command` in the root of a process that is there. */
export function inRunningRoot(pid: number, command: readonly string[], mode: RootMode): readonly string[] {
  const user = mode === 'user' ? ['--user', '--preserve-credentials'] : [];
  const place = [`--root=/proc/${pid}/root`, `--wd=/proc/${pid}/cwd`];
  return ['nsenter', '--target', String(pid), ...user, '--mount', ...place, ...command];
}

export async function removeRoot({ folder }: PrivateRoot): Promise<void> {
  await removeTree(folder).catch(() => {});
}

const volumeStep = ({ source, target, readOnly }: Mount): Step => [readOnly ? 'readonly' : 'bind', source, target];

/**
 * An overlay shows one file system. The others of the machine are bound in, or overlaid as well where a volume goes below: making its directory
 * must not leave one on the machine.
 */
function overlaid(volumes: readonly Mount[]): Step[] {
  const others = mountPoints(readFileSync('/proc/self/mountinfo', 'utf8')).filter(point => existsSync(point));
  const steps = others.map((point): Step => {
    const holdsVolume = volumes.some(({ target }) => target === point || target.startsWith(`${point}/`));
    return [holdsVolume && !/^\/(proc|sys|dev)$/.test(point) ? 'overlay' : 'bind', point, point];
  });
  return [['overlay', '/', '/'], ...steps];
}

function boundIn(root: string, volumes: readonly Mount[]): Step[] {
  const skeleton = planSkeleton(
    volumes.map(({ target }) => target),
    listMachine,
  );
  makeSkeleton(root, skeleton);
  return skeleton.binds.map(({ source, target }): Step => ['bind', source, target]);
}

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
  const source = join(trial, 'volume');
  try {
    mkdirSync(source, { recursive: true });
    const mounts = [{ source, target: '/etc/capstan-trial', readOnly: true }];
    const test = ['test', '-d', '/etc/capstan-trial', '-a', '-e', '/etc/passwd'];
    const [program, ...args] = await inPrivateRoot({ folder: trial, mounts }, '/', test, mode);
    const child = spawn(program!, args, { stdio: 'ignore', detached: true });
    const [code] = (await once(child, 'exit')) as [number | null];
    return code === 0;
  } catch {
    return false;
  } finally {
    await removeTree(trial).catch(() => {});
  }
}
