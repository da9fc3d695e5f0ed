import type { Json } from '@capstan/kube';
import { describe, expect, test } from 'vitest';
import type { Stored } from '../kind.ts';
import {
  ConversionError,
  type ConversionReview,
  conversionReview,
  convertedObjects,
  relabel,
  webhookConverter,
} from './conversion.ts';
import type { CrdConversion } from './types.ts';

const conversion: CrdConversion = {
  strategy: 'Webhook',
  webhook: { clientConfig: { url: 'https://convert.example' }, conversionReviewVersions: ['v9', 'v1', 'v1beta1'] },
};
const widget = (name: string, version = 'v1'): Stored => ({
  apiVersion: `example.com/${version}`,
  kind: 'Widget',
  metadata: { name, namespace: 'default', uid: `uid-${name}`, resourceVersion: '7', labels: { a: 'b' } },
  spec: { color: 'red' },
});
const objects = [widget('one'), widget('two', 'v2'), widget('three')];
const review = conversionReview(conversion, objects, 'example.com/v2', 'request-1')!;

const converted = (object: Json, changes: object = {}): Json =>
  ({ ...(object as object), apiVersion: 'example.com/v2', ...changes }) as Json;
const answer = (changes: object = {}, response: object = {}): Json =>
  ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'ConversionReview',
    response: {
      uid: 'request-1',
      result: { status: 'Success' },
      convertedObjects: review.request.objects.map(object => converted(object, { spec: { colour: 'red' } })),
      ...response,
    },
    ...changes,
  }) as Json;

test('without a webhook, only the version changes', () => {
  expect(relabel(widget('one'), 'example.com/v2')).toEqual({ ...widget('one'), apiVersion: 'example.com/v2' });
});

describe('asking a webhook', () => {
  test('only for objects of another version, in a review that it understands', () => {
    expect(review).toEqual({
      kind: 'ConversionReview',
      apiVersion: 'apiextensions.k8s.io/v1',
      request: {
        uid: 'request-1',
        desiredAPIVersion: 'example.com/v2',
        objects: [objects[0], objects[2]] as unknown as Json[],
      },
    } satisfies ConversionReview);
  });

  test('not at all when there is nothing to convert', () => {
    expect(conversionReview(conversion, [widget('two', 'v2')], 'example.com/v2', 'x')).toBeUndefined();
  });
});

test('a converter asks once for all objects, and not at all for none', async () => {
  const asked: ConversionReview[] = [];
  const convert = webhookConverter(
    conversion,
    async question => {
      asked.push(question);
      return answer();
    },
    () => 'request-1',
  );
  expect((await convert(objects, 'example.com/v2')).map(({ metadata }) => metadata.name)).toEqual([
    'one',
    'two',
    'three',
  ]);
  expect(await convert([widget('two', 'v2')], 'example.com/v2')).toEqual([widget('two', 'v2')]);
  expect(asked).toEqual([review]);
});

describe('the answer', () => {
  test('is put back in order, with metadata that only labels and annotations of it may change', () => {
    const convertedOnes = review.request.objects.map(object =>
      converted(object, {
        spec: { colour: 'red' },
        metadata: { ...(object as { metadata: object }).metadata, resourceVersion: '999', labels: { c: 'd' } },
      }),
    );
    const result = convertedObjects(review, answer({}, { convertedObjects: convertedOnes }), objects);
    expect(result.map(({ apiVersion, spec }) => [apiVersion, spec])).toEqual([
      ['example.com/v2', { colour: 'red' }],
      ['example.com/v2', { color: 'red' }],
      ['example.com/v2', { colour: 'red' }],
    ]);
    expect(result[0]!.metadata).toEqual({ ...objects[0]!.metadata, labels: { c: 'd' } });
  });

  test.each([
    [
      'of another kind',
      answer({ kind: 'Review' }),
      'failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got apiextensions.k8s.io/v1, Kind=Review',
    ],
    ['without a response', answer({ response: null }), 'failed: no response provided'],
    ['to another question', answer({}, { uid: 'x' }), 'failed: expected response.uid="request-1", got "x"'],
    ['that is a failure', answer({}, { result: { status: 'Failure', message: 'cannot' } }), 'failed: cannot'],
    [
      'that is a failure without words',
      answer({}, { result: { status: 'Failure' } }),
      `failed: response.result.status was 'Failure', not 'Success'`,
    ],
    ['with too few objects', answer({}, { convertedObjects: [] }), 'returned 0 objects, expected 2'],
    [
      'with something else',
      answer({}, { convertedObjects: [1, 2] }),
      'returned invalid converted object at index 0: it is not an object',
    ],
    [
      'in another version',
      answer({}, { convertedObjects: review.request.objects }),
      'returned invalid converted object at index 0: invalid groupVersion (expected example.com/v2, received example.com/v1)',
    ],
    [
      'with another name',
      answer(
        {},
        {
          convertedObjects: review.request.objects.map(object =>
            converted(object, { metadata: { name: 'x', namespace: 'default' } }),
          ),
        },
      ),
      'returned invalid converted object at index 0: must have the same name: one != x',
    ],
    [
      'that is no object',
      'hello',
      'failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got undefined, Kind=undefined',
    ],
  ] satisfies [string, Json, string][])('%s is refused', (_name, said, message) => {
    expect(() => convertedObjects(review, said, objects)).toThrow(
      new ConversionError(`conversion webhook for example.com/v1, Kind=Widget ${message}`),
    );
  });
});
