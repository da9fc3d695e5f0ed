import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';

/** A program that does not outlive the process that started it, not even when that one is killed. */
export interface Leashed {
  readonly name: string;
  /** Undefined while it runs. */
  readonly exitCode: () => number | undefined;
  /** The end of what it wrote, for an error message. */
  readonly lastLines: () => string;
  /** Ends it (SIGTERM, and SIGKILL where that is asked for) and resolves when it is gone. */
  readonly stop: (signal?: 'SIGTERM' | 'SIGKILL') => Promise<void>;
}

/**
 * The shell between us and the program: it starts the program and waits for a line on its standard input. The line names
 * the signal to send; the end of input means that we are gone, and then nothing must be left behind. The trap keeps the
 * outer shell, which sees the program end, from ending that removal half way.
 */
const leash = `
leftovers=$1; shift
exec 3<&0
"$@" 3<&- & program=$!
(
  if read -r signal <&3; then kill "-$signal" "$program"
  else trap '' TERM; kill -KILL "$program"; [ -z "$leftovers" ] || rm -rf "$leftovers"
  fi
) & reader=$!
wait "$program"; code=$?
kill "$reader" 2>/dev/null
exit "$code"
`;

/**
 * @param leftovers a folder to remove when we are gone without having stopped the program
 */
export function startLeashed(name: string, command: readonly string[], logFile: string, leftovers?: string): Leashed {
  const log = openSync(logFile, 'a');
  const shell = spawn('/bin/sh', ['-c', leash, name, leftovers ?? '', ...command], { stdio: ['pipe', log, log] });
  closeSync(log);
  // Writing to a shell that is gone already is no failure: then there is nothing to stop.
  shell.stdin!.on('error', () => {});
  const gone = new Promise<void>(resolve => shell.once('close', () => resolve()));
  return {
    name,
    exitCode: () => codeOf(shell),
    lastLines: () => readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-15).join('\n'),
    stop: async (signal = 'SIGTERM') => {
      shell.stdin!.end(`${signal.slice(3)}\n`);
      await gone;
    },
  };
}

function codeOf(shell: ChildProcess): number | undefined {
  if (shell.exitCode !== null) return shell.exitCode;
  return shell.signalCode === null ? undefined : 1;
}
