import type { Meter } from '../evaluate/meter.ts';
import { ArrayList } from '../value/list.ts';
import { NamedFormat } from '../value/named-format.ts';
import { Optional } from '../value/optional.ts';
import { parseDate, parseTimestamp } from '../value/time.ts';
import { parseURL } from '../value/url.ts';
import type { Value } from '../value/value.ts';
import {
  asPrefix,
  label1035Problems,
  labelProblems,
  labelValueProblems,
  qualifiedNameProblems,
  subdomainProblems,
} from './name-formats.ts';
import { define, type Overload } from './overload.ts';

const unless = (isValid: (text: string) => boolean, problem: string) => (text: string) =>
  isValid(text) ? [] : [problem];

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The second number is the length of the pattern Kubernetes checks with; a check is charged by it. */
const FORMATS: ReadonlyMap<string, NamedFormat> = new Map([
  ['dns1123Label', new NamedFormat('DNS1123Label', 30, labelProblems)],
  ['dns1123Subdomain', new NamedFormat('DNS1123Subdomain', 60, subdomainProblems)],
  ['dns1035Label', new NamedFormat('DNS1035Label', 30, label1035Problems)],
  ['qualifiedName', new NamedFormat('QualifiedName', 60, qualifiedNameProblems)],
  ['dns1123LabelPrefix', new NamedFormat('DNS1123LabelPrefix', 30, asPrefix(labelProblems))],
  ['dns1123SubdomainPrefix', new NamedFormat('DNS1123SubdomainPrefix', 60, asPrefix(subdomainProblems))],
  ['dns1035LabelPrefix', new NamedFormat('DNS1035LabelPrefix', 30, asPrefix(label1035Problems))],
  ['labelValue', new NamedFormat('LabelValue', 40, labelValueProblems)],
  [
    'uri',
    new NamedFormat(
      'URI',
      1103,
      unless(text => parseURL(text) !== undefined, 'invalid URI for request'),
    ),
  ],
  [
    'uuid',
    new NamedFormat(
      'uuid',
      70,
      unless(text => UUID.test(text), 'does not match the UUID format'),
    ),
  ],
  [
    'byte',
    new NamedFormat(
      'byte',
      84,
      unless(text => BASE64.test(text), 'invalid base64'),
    ),
  ],
  [
    'date',
    new NamedFormat(
      'date',
      71,
      unless(text => parseDate(text) !== undefined, 'invalid date'),
    ),
  ],
  [
    'datetime',
    new NamedFormat(
      'datetime',
      71,
      unless(text => parseTimestamp(text) !== undefined, 'invalid datetime'),
    ),
  ],
]);

export const formats: readonly Overload[] = [
  ...[...FORMATS].map(([name, format]) =>
    define(`format.${name}`, `format.${name}`, '(): kubernetes.NamedFormat', () => format),
  ),
  define(
    'format.named',
    'format-named',
    '(string): optional_type(kubernetes.NamedFormat)',
    ([name]: [string]) => new Optional(FORMATS.get(name)),
  ),
  define('validate', 'format-validate', '.(kubernetes.NamedFormat, string): optional_type(list(string))', validate),
];

function validate([format, text]: [NamedFormat, string], meter: Meter): Value {
  meter.build(text.length);
  const problems = format.problemsOf(text);
  return problems.length === 0 ? Optional.none : new Optional(new ArrayList(problems));
}
