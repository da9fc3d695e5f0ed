import { readFileSync } from 'node:fs';
import type { Json } from '@capstan/kube';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isObject } from '../schema/json.ts';
import { StatusError } from '../status.ts';
import { decodeProtobuf as decode } from './decode.ts';

const decodeProtobuf = (bytes: Buffer): Json => decode(bytes, { apiVersion: 'v1', kind: 'ConfigMap' });

interface Recorded {
  /** Base64. */
  readonly protobuf: string;
  readonly json: { readonly kind: string; readonly apiVersion: string };
}

/** Random objects as Kubernetes' own encoder writes them: see scripts/protobuf/oracle. */
const recorded: readonly Recorded[] = JSON.parse(
  readFileSync(new URL('./fixtures/random-objects.json', import.meta.url), 'utf8'),
);

/** Go writes null for a list that was never set; on the wire it is not there. Both mean the same to a reader. */
function withoutNulls(value: unknown): Json {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value as Json;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== null)
      .map(([name, field]) => [name, withoutNulls(field)]),
  );
}

/** What a client may send and be told of: an answer with a code, never an accident. */
function decodeOrRefuse(bytes: Buffer): void {
  try {
    decodeProtobuf(bytes);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
  }
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
}

const message = (number: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from([...varint((number << 3) | 2), ...varint(content.length)]), content]);

function body(apiVersion: string, kind: string, object: Buffer): Buffer {
  const type = Buffer.concat([message(1, Buffer.from(apiVersion)), message(2, Buffer.from(kind))]);
  return Buffer.concat([Buffer.from('k8s\0'), message(1, type), message(2, object)]);
}

describe('a protobuf body', () => {
  test.each(recorded.map(one => [`${one.json.apiVersion} ${one.json.kind}`, one] as const))(
    'of %s is the JSON that Go writes for it',
    (_, { protobuf, json }) => {
      expect(withoutNulls(decodeProtobuf(Buffer.from(protobuf, 'base64')))).toEqual(withoutNulls(json));
    },
  );

  test('keeps what was set to nothing on purpose: a pointer to zero', () => {
    const replicas = body('apps/v1', 'Deployment', message(2, Buffer.from([0x08, 0x00])));
    expect(decodeProtobuf(replicas)).toEqual({ apiVersion: 'apps/v1', kind: 'Deployment', spec: { replicas: 0 } });
  });

  test('of options for a deletion has the version of what is deleted', () => {
    const options = body('apps/v1', 'DeleteOptions', message(4, Buffer.from('Orphan')));
    expect(decodeProtobuf(options)).toMatchObject({ kind: 'DeleteOptions', propagationPolicy: 'Orphan' });
  });

  test('skips fields that are not known here, as of a newer Kubernetes', () => {
    const later = body(
      'v1',
      'ConfigMap',
      Buffer.concat([message(900, Buffer.from('new')), message(1, Buffer.alloc(0))]),
    );
    expect(decodeProtobuf(later)).toEqual({ apiVersion: 'v1', kind: 'ConfigMap', metadata: {} });
  });

  test('of a kind that is not known is no more than its name', () => {
    const other = body('example.com/v1', 'Widget', Buffer.from('anything'));
    expect(decodeProtobuf(other)).toEqual({ apiVersion: 'example.com/v1', kind: 'Widget' });
  });

  test('that does not say what it is, is what is expected', () => {
    const nameless = body('', '', message(1, message(1, Buffer.from('a'))));
    expect(decodeProtobuf(nameless)).toEqual({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
  });

  test('that gives a message twice is put together from both', () => {
    const named = message(1, message(1, Buffer.from('a')));
    const placed = message(1, message(3, Buffer.from('b')));
    expect(decodeProtobuf(body('v1', 'ConfigMap', Buffer.concat([named, placed])))).toMatchObject({
      metadata: { name: 'a', namespace: 'b' },
    });
  });
});

describe('a body that is none is refused in the words of Kubernetes', () => {
  test.each([
    ['nothing', Buffer.alloc(0), 'empty data (<empty>)'],
    [
      'JSON',
      Buffer.from('{}'),
      'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
    ],
    ['one that ends early', Buffer.from('k8s\0\n\x03abc'), 'unexpected EOF (6b3873000a03616263)'],
    [
      'a number where a text belongs',
      body('v1', 'ConfigMap', Buffer.from([0x08, 0x01])),
      'proto: wrong wireType = 0 for field Metadata',
    ],
    [
      'a field of number 0',
      body('v1', 'ConfigMap', Buffer.from([0x00, 0x01])),
      'proto: ConfigMap: illegal tag 0 (wire type 0)',
    ],
  ])('%s', (_, bytes, words) => {
    expect(() => decodeProtobuf(bytes)).toThrow(words);
  });

  test('a schema of ten thousand levels', () => {
    let schema: Buffer = Buffer.alloc(0);
    for (let depth = 0; depth < 10_000; depth++) schema = message(28, schema);
    const version = message(7, Buffer.concat([message(4, message(1, schema))]));
    const definition = body('apiextensions.k8s.io/v1', 'CustomResourceDefinition', message(2, version));
    expect(() => decodeProtobuf(definition)).toThrow('exceeded max depth');
  });

  test('any bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), bytes => decodeOrRefuse(Buffer.from(bytes))));
  });

  test('bodies with a few bytes changed', () => {
    const change = fc.record({
      which: fc.nat(recorded.length - 1),
      at: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }),
    });
    fc.assert(
      fc.property(change, ({ which, at }) => {
        const bytes = Buffer.from(recorded[which]!.protobuf, 'base64');
        for (const [position, value] of at) bytes[4 + (position % (bytes.length - 4))] = value;
        decodeOrRefuse(bytes);
      }),
      { numRuns: 500 },
    );
  });
});
