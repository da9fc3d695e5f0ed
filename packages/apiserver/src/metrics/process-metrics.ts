/** What every program says of itself to Prometheus. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Clock } from '@capstan/kube';
import type { Exposition } from './exposition.ts';

export function writeProcessMetrics(to: Exposition, clock: Clock): void {
  const { user, system } = process.cpuUsage();
  const memory = process.memoryUsage();
  to.family('process_cpu_seconds_total', 'counter', 'User and system time in seconds.').add({}, (user + system) / 1e6);
  to.family('process_resident_memory_bytes', 'gauge', 'Resident memory in bytes.').add({}, memory.rss);
  to.family('process_start_time_seconds', 'gauge', 'When the process began, in seconds since 1970.').add(
    {},
    Math.round(clock.now() / 1000 - process.uptime()),
  );
  const open = openFiles();
  if (open !== undefined) to.family('process_open_fds', 'gauge', 'Open file descriptors.').add({}, open);
  const limit = fileLimit();
  if (limit !== undefined) to.family('process_max_fds', 'gauge', 'How many may be open.').add({}, limit);
  to.family('nodejs_heap_size_used_bytes', 'gauge', 'Memory in use by JavaScript objects.').add({}, memory.heapUsed);
}

/** Linux alone tells. */
function openFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return undefined;
  }
}

function fileLimit(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
