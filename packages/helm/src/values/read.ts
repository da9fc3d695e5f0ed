/** Values from YAML text: a chart's values.yaml, a user's file. */

import { GoMap, parseYaml, toHost, type Value } from '@capstan/gotemplate';
import { explained, HelmError } from '../errors.ts';
import { defaultHelmVersion, type HelmVersion } from '../version.ts';
import { mergeTables } from './merge-tables.ts';
import { emptyValues, type Values } from './values.ts';

/**
 * Helm 4 reads every document of the text and merges them in order; Helm 3 reads the first. The message of an error is Go's.
 */
export function parseValues(text: string, helm: HelmVersion = defaultHelmVersion): Values {
  if (helm === 3) return table(text);
  return documents(text).reduce(
    (merged: Values, document) =>
      mergeTables(
        merged,
        explained('ValuesInvalid', 'cannot unmarshal yaml document', () => table(document)),
      ),
    emptyValues(),
  );
}

function table(text: string): Values {
  const value = parseYaml(text);
  if (value === null || value === undefined) return emptyValues();
  if (value instanceof GoMap) return toHost(value) as unknown as Values;
  throw new HelmError(
    'ValuesInvalid',
    `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${jsonKind(value)} into Go value of type map[string]interface {}`,
  );
}

function jsonKind(value: Value): string {
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' || typeof value === 'number' ? typeof value : 'array';
}

const separator = /^---[ \t\r]*(#.*)?$/;

/** The documents of a stream. A separator with anything but a comment after it belongs to its document. */
function documents(text: string): string[] {
  const found: string[] = [];
  let lines: string[] = [];
  for (const line of text.split('\n')) {
    if (separator.test(line) && lines.length > 0) {
      found.push(lines.join('\n'));
      lines = [];
    } else lines.push(line);
  }
  found.push(lines.join('\n'));
  return found;
}
