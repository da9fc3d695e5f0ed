/**
 * Which processes this node has running, on disk: one small file each, there before the process begins and gone after it ended. Whoever finds one
 * later knows what was left behind. A file survives the end of Capstan without being synced, and the end of the machine ends the
 * processes too.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessIdentity } from './proc.ts';

export interface RunningRecord extends ProcessIdentity {
  readonly containerId: string;
  readonly bootId: string;
  readonly podUid: string;
}

export class RunningFiles {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** On one line, in this order, because a shell reads it too (reaper.ts). */
  write({ containerId, pid, startTime, bootId, podUid }: RunningRecord): void {
    writeFileSync(join(this.folder, containerId), `${pid} ${startTime} ${bootId} ${podUid}\n`, { mode: 0o600 });
  }

  remove(containerId: string): void {
    rmSync(join(this.folder, containerId), { force: true });
  }

  all(): RunningRecord[] {
    return readdirSync(this.folder).flatMap(containerId => {
      const [pid, startTime, bootId, podUid] = readFileSync(join(this.folder, containerId), 'utf8').trim().split(' ');
      // Cut short: the process had not been let go yet, and without Capstan it never was.
      if (podUid === undefined) return [{ containerId, pid: 0, startTime: '', bootId: '', podUid: '' }];
      return [{ containerId, pid: Number(pid), startTime: startTime!, bootId: bootId!, podUid }];
    });
  }
}
