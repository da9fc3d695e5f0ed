/** The embedded API server in a process of its own, on disk and over HTTPS, as `npm start` runs it. Prints how to reach it. */
import { rmSync } from 'node:fs';
import { startCluster } from '@capstan/cli';

const cluster = await startCluster({ data: process.argv[2]!, port: Number(process.argv[3]) });
process.stdout.write(`${JSON.stringify({ kubeconfig: cluster.kubeconfig })}\n`);
process.on('SIGTERM', async () => {
  await cluster.stop();
  rmSync(process.argv[2]!, { recursive: true, force: true });
  process.exit(0);
});
