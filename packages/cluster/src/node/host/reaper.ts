/**
 * A shell that waits for Capstan to end, however it ends, and then ends what Capstan had running. It learns of the end because the
 * other end of its standard input is closed by the kernel; it is in a session of its own, so that what ends Capstan's group or terminal spares it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { RUN_VARIABLE } from './left-behind.ts';

/**
 * `$1` the folder of running files, `$2` the mark of this run. The first loop ends with Capstan. Then: each leader that is still the one in
 * its file, with its group; then whatever carries the mark. Files stay for the next start to look at.
 */
const SCRIPT = `
folder=$1 mark=$2
while read -r _; do :; done
for file in "$folder"/*; do
  read -r pid start _ <"$file" || continue
  read -r stat <"/proc/$pid/stat" || continue
  set -- \${stat##*) }
  shift 19
  [ "$1" = "$start" ] && kill -s KILL -- "-$pid"
done 2>/dev/null
for round in 1 2 3; do
  for environment in $(grep -alsF "$mark" /proc/[0-9]*/environ 2>/dev/null); do
    pid=\${environment#/proc/}
    kill -s KILL "\${pid%/environ}" 2>/dev/null
  done
done
`;

export interface Reaper {
  /** Nothing runs any more: the shell may go. It finds nothing to end. */
  stop(): void;
}

export function startReaper(runningFolder: string, runId: string): Reaper {
  const child: ChildProcess = spawn(
    '/bin/sh',
    ['-c', SCRIPT, 'capstan-reaper', runningFolder, `${RUN_VARIABLE}=${runId}`],
    {
      detached: true,
      cwd: '/',
      env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  );
  child.on('error', () => {});
  child.stdin!.on('error', () => {});
  // It must not keep Capstan alive; Capstan's end is what it waits for.
  child.unref();
  (child.stdin as unknown as { unref?: () => void }).unref?.();
  return { stop: () => child.stdin!.end() };
}
