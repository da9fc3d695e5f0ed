/** What a request comes to, before it is known whether it leaves as bytes or stays in the process. */
import { apiVersionOf, type ListMeta } from '@capstan/kube';
import type { KindDefinition } from './kind.ts';
import type { Watch } from './read/watch.ts';
import type { Entry } from './store/entry.ts';

export type Answer =
  | { readonly kind: 'entry'; readonly status: 200 | 201 | 202; readonly entry: Entry }
  | {
      readonly kind: 'list';
      readonly shape: ListShape;
      readonly metadata: ListMeta;
      readonly entries: readonly Entry[];
    }
  | { readonly kind: 'value'; readonly status: number; readonly value: unknown }
  | { readonly kind: 'text'; readonly status: number; readonly type: string; readonly text: string }
  /** Bytes that are already what the client asked for, with headers of their own. */
  | {
      readonly kind: 'document';
      readonly status: number;
      readonly type: string;
      readonly bytes: Buffer;
      readonly headers: Readonly<Record<string, string>>;
    }
  /** Text that comes bit by bit, for as long as it takes. */
  | { readonly kind: 'stream'; readonly type: string; readonly chunks: AsyncIterable<Uint8Array> }
  | { readonly kind: 'watch'; readonly watch: Watch };

/** What a list says that it is; for kinds that are not custom, its items leave out what they are. */
export type ListShape = Pick<KindDefinition, 'kind' | 'listKind' | 'group' | 'version' | 'custom'>;

export interface FullAnswer {
  readonly answer: Answer;
  readonly headers: Readonly<Record<string, string>>;
  /** Each becomes a Warning header, which kubectl prints. */
  readonly warnings: readonly string[];
}

export const value = (body: unknown, status = 200): Answer => ({ kind: 'value', status, value: body });

/** The list as one value, for use inside the process. */
export function listValue({ shape, metadata, entries }: Extract<Answer, { kind: 'list' }>): unknown {
  return {
    kind: shape.listKind,
    apiVersion: apiVersionOf(shape),
    metadata,
    items: entries.map(entry => entry.object),
  };
}

/** The list as text, from the texts of its objects. Built-ins appear without kind and apiVersion, as in Kubernetes. */
export function listJson({ shape, metadata, entries }: Extract<Answer, { kind: 'list' }>): string[] {
  const apiVersion = apiVersionOf(shape);
  const head = `{"kind":"${shape.listKind}","apiVersion":"${apiVersion}","metadata":${JSON.stringify(metadata)},"items":[`;
  const prefix = shape.custom ? 0 : `{"kind":"${shape.kind}","apiVersion":"${apiVersion}",`.length;
  const parts = [head];
  let separator = '';
  for (const { json } of entries) {
    parts.push(prefix === 0 ? separator + json : `${separator}{${json.slice(prefix)}`);
    separator = ',';
  }
  parts.push(']}\n');
  return parts;
}
