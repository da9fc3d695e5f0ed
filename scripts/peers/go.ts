import { spawn, spawnSync } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { findOnPath } from './find.ts';

/** Older ones do not read the go.mod files of today's peers, nor fetch the toolchain that these ask for. */
const oldestGo = [1, 24] as const;

export type Go =
  | { readonly state: 'ready'; readonly program: string; readonly version: string }
  | { readonly state: 'missing'; readonly why: string };

/** The Go of this machine, or why it cannot be used. */
export function findGo(): Go {
  const program = findOnPath('go');
  if (program === undefined) return { state: 'missing', why: 'Go is not installed' };
  const { stdout } = spawnSync(program, ['version'], { encoding: 'utf8' });
  const version = parseGoVersion(stdout ?? '');
  if (version === undefined) return { state: 'missing', why: `"${program} version" does not answer` };
  return isNewEnough(version)
    ? { state: 'ready', program, version }
    : { state: 'missing', why: `Go ${version} is older than ${oldestGo.join('.')}` };
}

/** `go version go1.26.8 linux/amd64` → `1.26.8`. */
export function parseGoVersion(text: string): string | undefined {
  return /\bgo(\d+\.\d+(?:\.\d+)?)/.exec(text)?.[1];
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > oldestGo[0] || (major === oldestGo[0] && minor >= oldestGo[1]);
}

export class GoFailed extends Error {
  readonly output: readonly string[];

  constructor(args: readonly string[], output: readonly string[]) {
    super(`go ${args.slice(0, 2).join(' ')} failed`);
    this.output = output;
  }
}

/** Runs go in a folder, behind whatever else the machine does, and hands over every line that it writes; throws with the last of them when it fails. */
export async function runGo(
  program: string,
  args: readonly string[],
  folder: string,
  onLine: (line: string) => void = () => {},
): Promise<string[]> {
  const child = spawn(program, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A module of our own making has no go.sum entry for every sibling yet: -mod=mod adds what the checksum database
    // confirms. Without cgo the programs are static, as the released ones are. A go.work further up must not join in.
    env: { ...process.env, GOFLAGS: '-mod=mod -buildvcs=false', CGO_ENABLED: '0', GOWORK: 'off' },
  });
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const output: string[] = [];
  const errors: string[] = [];
  createInterface(child.stdout).on('line', line => output.push(line));
  createInterface(child.stderr).on('line', line => {
    errors.push(line);
    onLine(line);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new GoFailed(args, errors.slice(-12));
  return output;
}
