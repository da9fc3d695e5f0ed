/**
 * A document of version 2 as protobuf, in the messages of gnostic (`openapi.v2.Document`), as far as Kubernetes uses them.
 * Fields are named as in the JSON; `x-…` go to the message's field for extensions.
 */
import type { Json } from '@capstan/kube';
import {
  boolean,
  concat,
  double,
  field,
  int64,
  type JsonRecord,
  message,
  toBuffer,
  type Writer,
} from './gnostic-wire.ts';

export function encodeSwagger(document: Json): Buffer {
  return toBuffer(concat([DOCUMENT(document)]));
}

const text: Writer = value => Buffer.from(String(value));

/** Each item as a field of the same number. */
const each = (write: Writer) => ({ each: write });

/** Any value, as text. */
const any: Writer = value => field(2, Buffer.from(`${JSON.stringify(value)}\n`));

/** An object whose keys are data: pairs of name and value. */
const named =
  (number: number, write: Writer): Writer =>
  value =>
    concat(
      Object.entries(value as JsonRecord).map(([name, one]) =>
        field(number, concat([field(1, Buffer.from(name)), field(2, write(one))])),
      ),
    );

/** One of several messages, chosen by what the value looks like. */
const choice =
  (number: (value: Json) => number, write: Writer): Writer =>
  value =>
    field(number(value), write(value));

const SCHEMA: Writer = value =>
  message(
    {
      $ref: [1, text],
      format: [2, text],
      title: [3, text],
      description: [4, text],
      default: [5, any],
      multipleOf: [6, double],
      maximum: [7, double],
      exclusiveMaximum: [8, boolean],
      minimum: [9, double],
      exclusiveMinimum: [10, boolean],
      maxLength: [11, int64],
      minLength: [12, int64],
      pattern: [13, text],
      maxItems: [14, int64],
      minItems: [15, int64],
      uniqueItems: [16, boolean],
      maxProperties: [17, int64],
      minProperties: [18, int64],
      required: [19, each(text)],
      enum: [20, each(any)],
      additionalProperties: [21, ADDITIONAL_PROPERTIES],
      type: [22, type => field(1, text(type))],
      items: [23, items => field(1, SCHEMA(items))],
      properties: [25, named(1, SCHEMA)],
      example: [30, any],
    },
    { number: 31, write: any },
  )(value);

const ADDITIONAL_PROPERTIES: Writer = value =>
  typeof value === 'boolean' ? boolean.asField(2, value) : field(1, SCHEMA(value));

const REFERENCE = message({ $ref: [1, text], description: [2, text] });

const BODY_PARAMETER = message({
  description: [1, text],
  name: [2, text],
  in: [3, text],
  required: [4, boolean],
  schema: [5, SCHEMA],
});

const QUERY_PARAMETER = message({
  required: [1, boolean],
  in: [2, text],
  description: [3, text],
  name: [4, text],
  type: [6, text],
  uniqueItems: [20, boolean],
});

const PATH_PARAMETER = message({
  required: [1, boolean],
  in: [2, text],
  description: [3, text],
  name: [4, text],
  type: [5, text],
  uniqueItems: [19, boolean],
});

const PARAMETER: Writer = value => {
  const place = (value as JsonRecord)['in'];
  if (place === 'body') return field(1, BODY_PARAMETER(value));
  return field(2, place === 'path' ? field(4, PATH_PARAMETER(value)) : field(3, QUERY_PARAMETER(value)));
};

const PARAMETERS_ITEM: Writer = value =>
  '$ref' in (value as JsonRecord) ? field(2, REFERENCE(value)) : field(1, PARAMETER(value));

const RESPONSE = message({ description: [1, text], schema: [2, choice(() => 1, SCHEMA)] });

const OPERATION = message(
  {
    tags: [1, each(text)],
    description: [3, text],
    operationId: [5, text],
    produces: [6, each(text)],
    consumes: [7, each(text)],
    parameters: [8, each(PARAMETERS_ITEM)],
    responses: [
      9,
      named(
        1,
        choice(() => 1, RESPONSE),
      ),
    ],
    schemes: [10, each(text)],
  },
  { number: 13, write: any },
);

const PATH_ITEM = message({
  get: [2, OPERATION],
  put: [3, OPERATION],
  post: [4, OPERATION],
  delete: [5, OPERATION],
  patch: [8, OPERATION],
  parameters: [9, each(PARAMETERS_ITEM)],
});

const API_KEY = message({ type: [1, text], name: [2, text], in: [3, text], description: [4, text] });

const STRINGS: Writer = value => concat((value as Json[]).map(one => field(1, text(one))));

const DOCUMENT = message({
  swagger: [1, text],
  info: [2, message({ title: [1, text], version: [2, text] })],
  paths: [8, named(2, PATH_ITEM)],
  definitions: [9, named(1, SCHEMA)],
  parameters: [10, named(1, PARAMETER)],
  security: [12, each(named(1, STRINGS))],
  securityDefinitions: [
    13,
    named(
      1,
      choice(() => 2, API_KEY),
    ),
  ],
});
