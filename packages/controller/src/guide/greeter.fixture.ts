import {
  createManager,
  customResource,
  done,
  ensureCrds,
  type Manager,
  type ObjectOf,
  ownerReference,
  shutdownSignal,
} from '@capstan/controller';
import { configMaps, createClient, loadKubeconfig, transportFromKubeconfig } from '@capstan/kube';
import { z } from 'zod';

export const greetings = customResource({
  group: 'example.io',
  version: 'v1',
  kind: 'Greeting',
  schema: z.object({
    spec: z.object({ name: z.string().min(1), times: z.int32().min(1).max(10).default(1) }),
    status: z.object({ text: z.string() }).optional(),
  }),
  columns: [{ name: 'Text', type: 'string', jsonPath: '.status.text' }],
});

function textFor({ spec }: ObjectOf<typeof greetings>): string {
  return Array.from({ length: spec.times }, () => `Hello, ${spec.name}!`).join(' ');
}

export function addGreeter(manager: Manager): void {
  manager.controller({
    name: 'greeter',
    for: greetings,
    owns: [configMaps],
    async reconcile({ namespace, name }, { client, cache }) {
      const greeting = await cache.get(greetings, { namespace, name });
      if (greeting === undefined || greeting.metadata.deletionTimestamp !== undefined) return done();
      const text = textFor(greeting);
      const existing = await cache.get(configMaps, { namespace, name });
      if (existing?.data?.['text'] !== text) {
        const metadata = { namespace, name, ownerReferences: [ownerReference(greeting)] };
        await client.apply(configMaps, { metadata, data: { text } }, { owner: 'greeter', force: true });
      }
      if (greeting.status?.text !== text) {
        await client.applyStatus(greetings, { namespace, name, status: { text } }, { owner: 'greeter' });
      }
      return done();
    },
  });
}

if (import.meta.main) {
  const transport = await transportFromKubeconfig(await loadKubeconfig());
  await ensureCrds([greetings], { client: createClient({ transport }) });
  const manager = createManager({ transport });
  addGreeter(manager);
  await manager.run(shutdownSignal());
}
