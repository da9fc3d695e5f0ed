/**
 * Records what a real API server answers to the scripts: all of them, or those named.
 *
 *     npx node e2e/differential/record.ts [script …]
 */
import { startRealApiServer } from '../real/apiserver.ts';
import { writeFixture } from './fixture.ts';
import { normalise } from './normalise.ts';
import { runScript } from './run.ts';
import { scripts } from './scripts/index.ts';
import { connect } from './target.ts';

const wanted = process.argv.slice(2);
const chosen = scripts.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const server = await startRealApiServer();
// After a restart the server's memory of changes begins anew, so that version 1 is too old to watch from.
await server.restart();
const target = connect(server);
try {
  const version = await target.send({ method: 'GET', path: '/version', query: {}, headers: {} });
  const { gitVersion } = version.body as { gitVersion: string };
  for (const script of chosen) {
    const answers = normalise(await runScript(script, target));
    writeFixture(script, { server: gitVersion, answers });
    console.log(`${script.name}: ${answers.length} answers of ${gitVersion}`);
  }
} finally {
  await target.close();
  await server.stop();
}
