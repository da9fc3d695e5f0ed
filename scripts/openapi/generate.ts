/**
 * Writes what a running API server adds to the documents that Kubernetes publishes with its sources: the values of
 * enumerations, and the parameters of requests. `npx node scripts/openapi/generate.ts`, after `npm run peers -- etcd
 * kube-apiserver`. The file it writes is committed.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Agent, fetch } from 'undici';
import { startRealApiServer } from '../../e2e/real/apiserver.ts';
import { rawDefinitions } from '../../packages/apiserver/src/builtins/index.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema: { readonly type: string };
}

interface Property {
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly items?: Property;
  readonly additionalProperties?: Property;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { parameters?: Parameter[] } | Parameter[]>>>>;
  readonly components: {
    readonly schemas?: Readonly<Record<string, { readonly properties?: Readonly<Record<string, Property>> }>>;
  };
}

/** Where a description begins to list the values. */
const VALUES = /\n+Possible enum values:/;

const server = await startRealApiServer();
try {
  const dispatcher = new Agent({ connect: { ca: Buffer.from(server.caData, 'base64').toString() } });
  const get = async (url: string): Promise<unknown> => {
    const answer = await fetch(server.url + url, { dispatcher, headers: { authorization: `Bearer ${server.token}` } });
    if (!answer.ok) throw new Error(`GET ${url}: ${answer.status}`);
    return answer.json();
  };
  const index = (await get('/openapi/v3')) as { paths: Record<string, { serverRelativeURL: string }> };
  const documents: Document[] = [];
  for (const [name, { serverRelativeURL }] of Object.entries(index.paths)) {
    if (/^(api|apis\/[^/]+)\/v\w+$/.test(name)) documents.push((await get(serverRelativeURL)) as Document);
  }
  await dispatcher.close();
  const content = { parameters: sorted(parametersOf(documents)), enums: sorted(enumsOf(documents)) };
  const target = path.resolve(import.meta.dirname, '../../packages/apiserver/src/openapi/server-facts.gen.json');
  writeFileSync(target, `${JSON.stringify(content, null, 1)}\n`);
  console.log(
    `${Object.keys(content.parameters).length} parameters, ${Object.keys(content.enums).length} enumerations`,
  );
} finally {
  await server.stop();
}

/** Query parameters by name; those of `exec` and its like are not among them. */
function parametersOf(all: readonly Document[]): Record<string, { type: string; description: string }> {
  const found: Record<string, { type: string; description: string }> = {};
  for (const { paths } of all) {
    for (const item of Object.values(paths)) {
      const lists = Object.values(item).map(one => (Array.isArray(one) ? one : (one.parameters ?? [])));
      if (!lists.flat().some(({ name }) => name === 'pretty')) continue;
      for (const { name, in: place, description = '', schema } of lists.flat()) {
        if (place === 'query') found[name] = { type: schema.type, description };
      }
    }
  }
  return found;
}

/** By `definition field`: the values, and what the description says about them. */
function enumsOf(all: readonly Document[]): Record<string, { values: readonly string[]; description: string }> {
  const found: Record<string, { values: readonly string[]; description: string }> = {};
  for (const { components } of all) {
    for (const [name, { properties = {} }] of Object.entries(components.schemas ?? {})) {
      if (!(name in rawDefinitions())) continue;
      for (const [field, { description = '', ...property }] of Object.entries(properties)) {
        const values = property.enum ?? property.items?.enum ?? property.additionalProperties?.enum;
        const at = description.search(VALUES);
        if (values) found[`${name} ${field}`] = { values, description: at < 0 ? '' : description.slice(at) };
      }
    }
  }
  return found;
}

function sorted<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
