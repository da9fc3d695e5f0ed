/** A whole small cluster in a process of its own, for tests that kill it: `node doomed-node.fixture.ts <folder> <pods as JSON>`. */
import { createApiServer } from '@capstan/apiserver';
import { silentLog } from '@capstan/controller';
import { createClient, type NewObject, type Pod, pods } from '@capstan/kube';
import { startProcessNode } from './process-node.ts';

const [folder = '', list = '[]'] = process.argv.slice(2);
const server = await createApiServer({ file: `${folder}/objects.db` });
const client = createClient({ transport: server.transport() });
for (const pod of JSON.parse(list) as NewObject<Pod>[]) await client.create(pods, pod).catch(() => {});
await startProcessNode({ transport: server.transport(), folder: `${folder}/node`, name: 'doomed', log: silentLog });

for await (const { object } of client.watch(pods)) {
  const { items } = await client.list(pods);
  if (!('metadata' in object) || !items.every(({ status }) => status?.phase === 'Running')) continue;
  process.stdout.write(`${JSON.stringify(items.map(({ metadata, status }) => [metadata.name, status?.podIP]))}\n`);
}
