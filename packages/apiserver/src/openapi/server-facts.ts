/** What only a running Kubernetes adds to its definitions, from `server-facts.gen.json`: read when a document is asked for. */
import { readFileSync } from 'node:fs';

interface ServerFacts {
  readonly parameters: Readonly<Record<string, { readonly type: string; readonly description: string }>>;
  /** By `definition field`. */
  readonly enums: Readonly<Record<string, { readonly values: readonly string[]; readonly description: string }>>;
}

let facts: ServerFacts | undefined;

export function serverFacts(): ServerFacts {
  facts ??= JSON.parse(readFileSync(new URL('./server-facts.gen.json', import.meta.url), 'utf8')) as ServerFacts;
  return facts;
}
