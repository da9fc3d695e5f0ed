/** What the messages of Kubernetes hold, from `messages.gen.json`: read when the first protobuf body comes. */
import { readFileSync } from 'node:fs';
import type { Scalar } from './scalar.ts';

export interface MessageField {
  /** In JSON; '.' for a struct whose fields stand in place of it. */
  readonly name: string;
  readonly shape: 'one' | 'list' | 'map';
  readonly type: { readonly scalar: Scalar } | { readonly message: string };
  /** Go leaves it out of JSON when it is empty. */
  readonly omitEmpty: boolean;
}

export type Message =
  | { readonly kind: 'struct'; readonly name: string; readonly fields: ReadonlyMap<number, MessageField> }
  /** A message around a list, which is a plain list in JSON. */
  | { readonly kind: 'list'; readonly name: string; readonly items: MessageField };

interface TableFile {
  readonly kinds: Readonly<Record<string, string>>;
  readonly messages: Readonly<Record<string, readonly string[]>>;
}

let file: TableFile | undefined;
const parsed = new Map<string, Message>();

function tableFile(): TableFile {
  file ??= JSON.parse(readFileSync(new URL('./messages.gen.json', import.meta.url), 'utf8')) as TableFile;
  return file;
}

const DELETE_OPTIONS = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions';

/** The message of a kind; undefined for one that has none. DeleteOptions come in the version of what they delete. */
export function messageOfKind(apiVersion: string, kind: string): string | undefined {
  if (kind === 'DeleteOptions') return DELETE_OPTIONS;
  const key = `${apiVersion} ${kind}`;
  return Object.hasOwn(tableFile().kinds, key) ? tableFile().kinds[key] : undefined;
}

export function messageOf(name: string): Message {
  const known = parsed.get(name);
  if (known !== undefined) return known;
  const lines = tableFile().messages[name];
  if (lines === undefined) throw new Error(`there is no message ${name}: run scripts/protobuf/generate.ts`);
  const message = parseMessage(name, lines);
  parsed.set(name, message);
  return message;
}

function parseMessage(name: string, lines: readonly string[]): Message {
  const [first = ''] = lines;
  if (first.startsWith('list ')) return { kind: 'list', name, items: parseField('items', first.slice('list '.length)) };
  const fields = lines.map(line => {
    const [number, field, type] = line.split(' ');
    return [Number(number), parseField(field!, type!)] as const;
  });
  return { kind: 'struct', name, fields: new Map(fields) };
}

function parseField(name: string, text: string): MessageField {
  const [, optional, shape, type] = /^(\?)?(\[\]|\{\})?(.+)$/.exec(text)!;
  return {
    name,
    shape: shape === '[]' ? 'list' : shape === '{}' ? 'map' : 'one',
    type: type!.includes('.') ? { message: type! } : { scalar: type as Scalar },
    omitEmpty: optional !== undefined,
  };
}
