/** Starting the sides of a comparison, each in a process of its own, one after the other. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildGoProgram } from '../../scripts/peers/program.ts';

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

export type Figures = Readonly<Record<string, number>>;

/** Runs a program against a replay server of its own and gives the line of JSON that it printed. */
export async function against(
  scenario: string,
  serverArguments: readonly string[],
  client: (server: string) => readonly string[],
): Promise<Figures> {
  const server = spawn(process.execPath, [here('replay-server.ts'), scenario, ...serverArguments], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const { port } = JSON.parse(await firstLine(server)) as { port: number };
    const [program, ...args] = client(`http://127.0.0.1:${port}`);
    return await output(program!, args);
  } finally {
    server.kill();
  }
}

export function node(file: string, ...args: readonly string[]): readonly string[] {
  return [process.execPath, '--expose-gc', here(file), ...args];
}

/** Our side, started as `docs/controller.md` recommends for large caches. */
export function ours(...args: readonly string[]): readonly string[] {
  return [process.execPath, '--expose-gc', '--max-semi-space-size=8', here('ours.ts'), ...args];
}

/** The Go peer, built if need be; `undefined` where there is no Go. */
export function goPeer(): Promise<string | undefined> {
  return buildGoProgram(here('../peers/ingest'));
}

/** The shell tells the processor time of a program at its end: unlike the wall clock, it hardly depends on who else is working. */
const TIMED = ['-c', 'TIMEFORMAT="%U %S"; time "$0" "$@"'] as const;

async function output(program: string, args: readonly string[]): Promise<Figures> {
  const { code, stdout, stderr } = await finished(
    spawn('bash', [...TIMED, program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] }),
  );
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${stderr}`);
  const [user, system] = stderr.trim().split('\n').at(-1)!.split(' ').map(Number);
  const figures = JSON.parse(stdout.trim().split('\n').at(-1)!) as Figures;
  return { ...figures, processorSeconds: user! + system! };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout!.on('data', chunk => {
      text += chunk;
      if (text.includes('\n')) resolve(text.split('\n')[0]!);
    });
    child.once('exit', code => reject(new Error(`the replay server ended with ${code}`)));
  });
}

function finished(child: ChildProcess): Promise<{ code: number | undefined; stdout: string; stderr: string }> {
  return new Promise(resolve => {
    let [stdout, stderr] = ['', ''];
    child.stdout?.on('data', chunk => (stdout += chunk));
    child.stderr?.on('data', chunk => (stderr += chunk));
    child.once('error', () => resolve({ code: undefined, stdout, stderr }));
    child.once('close', code => resolve({ code: code ?? -1, stdout, stderr }));
  });
}
