/** JSON Schemas of all drafts into validators. A schema comes with the chart, from someone else: it fetches nothing. */

import { compileRegex, decodeJson, toHost } from '@capstan/gotemplate';
import { Ajv, type Options, type ValidateFunction } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

type Draft = 'draft-04' | 'draft-06' | 'draft-07' | '2019-09' | '2020-12';
type Schema = Record<string, unknown>;

/** Helm takes a schema that does not say its draft as the newest. */
function draftOf(schema: Schema): Draft {
  const said = typeof schema['$schema'] === 'string' ? schema['$schema'] : '';
  const drafts: readonly Draft[] = ['draft-04', 'draft-06', 'draft-07', '2019-09', '2020-12'];
  return drafts.find(draft => said.includes(draft)) ?? '2020-12';
}

/** Patterns are RE2's, as in Go: one that backtracks for ever cannot be written. Ajv tells them apart by their text. */
const regExp = Object.assign((pattern: string) => ({ test: compileRegex(pattern), toString: () => pattern }), {
  code: 'new RegExp',
});

const options: Options = {
  allErrors: true,
  strict: false,
  verbose: true,
  logger: false,
  ownProperties: true,
  code: { regExp },
};

/** Throws where the text is no schema, or one that refers to another place. */
export function compileSchema(text: string): ValidateFunction {
  const parsed = toHost(decodeJson(text)) as unknown;
  if (typeof parsed === 'boolean') return new Ajv2020(options).compile(parsed);
  const schema = parsed as Schema;
  const draft = draftOf(schema);
  return ajvFor(draft).compile(draft === 'draft-04' ? modernized(schema) : prepared(schema, draft));
}

function ajvFor(draft: Draft): Ajv {
  // From 2019 on a format is a remark and no rule.
  if (draft === '2020-12') return new Ajv2020({ ...options, validateFormats: false });
  if (draft === '2019-09') return new Ajv2019({ ...options, validateFormats: false });
  const ajv = new Ajv(options);
  (addFormats as unknown as (target: Ajv) => void)(ajv);
  return ajv;
}

/** The drafts that one class reads are named by the newest of them. */
function prepared(schema: Schema, draft: Draft): Schema {
  if (draft === '2019-09' || draft === '2020-12') return schema;
  return { ...schema, $schema: 'http://json-schema.org/draft-07/schema#' };
}

/** Draft 4 in the words of draft 7: `id` is `$id`, and a bound is exclusive by a boolean beside it. */
function modernized(schema: Schema): Schema {
  return { ...(rewrite(schema) as Schema), $schema: 'http://json-schema.org/draft-07/schema#' };
}

function rewrite(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(rewrite);
  if (typeof node !== 'object' || node === null) return node;
  const out: Schema = Object.create(null);
  for (const [key, value] of Object.entries(node)) out[key] = rewrite(value);
  for (const bound of ['Minimum', 'Maximum']) {
    const exclusive = `exclusive${bound}`;
    const plain = bound.toLowerCase();
    if (out[exclusive] === true) {
      out[exclusive] = out[plain];
      delete out[plain];
    } else if (out[exclusive] === false) delete out[exclusive];
  }
  if (typeof out['id'] === 'string') {
    out['$id'] = out['id'];
    delete out['id'];
  }
  return out;
}
