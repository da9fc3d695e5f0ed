/** The checks behind Kubernetes' name formats, in Kubernetes' words. */

interface NamePattern {
  readonly pattern: string;
  readonly maxLength: number;
  readonly rule: string;
  readonly examples: readonly string[];
}

const LABEL_PATTERN = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const QUALIFIED_PATTERN = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const ENDS_ALPHANUMERIC = 'and must start and end with an alphanumeric character';

const LABEL: NamePattern = {
  pattern: LABEL_PATTERN,
  maxLength: 63,
  rule: `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', ${ENDS_ALPHANUMERIC}`,
  examples: ['my-name', '123-abc'],
};

const SUBDOMAIN: NamePattern = {
  pattern: `${LABEL_PATTERN}(\\.${LABEL_PATTERN})*`,
  maxLength: 253,
  rule: `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', ${ENDS_ALPHANUMERIC}`,
  examples: ['example.com'],
};

const LABEL_1035: NamePattern = {
  pattern: '[a-z]([-a-z0-9]*[a-z0-9])?',
  maxLength: 63,
  rule: "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  examples: ['my-name', 'abc-123'],
};

const LABEL_VALUE: NamePattern = {
  pattern: `(${QUALIFIED_PATTERN})?`,
  maxLength: 63,
  rule: `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', ${ENDS_ALPHANUMERIC}`,
  examples: ['MyValue', 'my_value', '12345'],
};

const QUALIFIED: NamePattern = {
  pattern: QUALIFIED_PATTERN,
  maxLength: 63,
  rule: `must consist of alphanumeric characters, '-', '_' or '.', ${ENDS_ALPHANUMERIC}`,
  examples: ['MyName', 'my.name', '123-abc'],
};

const has = (name: NamePattern, text: string): boolean => new RegExp(`^${name.pattern}$`).test(text);

function breach({ rule, pattern, examples }: NamePattern): string {
  const shown = examples.map(example => `'${example}', `).join(' or ');
  return `${rule} (e.g. ${shown}regex used for validation is '${pattern}')`;
}

/** Lengths are counted in bytes; older checks call them characters. */
function problems(name: NamePattern, text: string, unit: 'characters' | 'bytes'): string[] {
  const tooLong = Buffer.byteLength(text) > name.maxLength ? [`must be no more than ${name.maxLength} ${unit}`] : [];
  return has(name, text) ? tooLong : [...tooLong, breach(name)];
}

export function labelProblems(text: string): string[] {
  if (has(LABEL, text) || !has(SUBDOMAIN, text)) return problems(LABEL, text, 'characters');
  const tooLong =
    Buffer.byteLength(text) > LABEL.maxLength ? [`must be no more than ${LABEL.maxLength} characters`] : [];
  return [...tooLong, 'must not contain dots'];
}

export const subdomainProblems = (text: string): string[] => problems(SUBDOMAIN, text, 'characters');
export const label1035Problems = (text: string): string[] => problems(LABEL_1035, text, 'characters');
export const labelValueProblems = (text: string): string[] => problems(LABEL_VALUE, text, 'bytes');

/** `name` or `prefix/name`. */
export function qualifiedNameProblems(text: string): string[] {
  const parts = text.split('/');
  if (parts.length > 2) {
    const optional = "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
    return [`a valid label key ${breach(QUALIFIED)} ${optional}`];
  }
  const found: string[] = [];
  const name = parts.at(-1)!;
  if (parts.length === 2) {
    if (parts[0] === '') found.push('prefix part must be non-empty');
    else found.push(...problems(SUBDOMAIN, parts[0]!, 'bytes').map(problem => `prefix part ${problem}`));
  }
  if (name === '') found.push('name part must be non-empty');
  else if (Buffer.byteLength(name) > QUALIFIED.maxLength) found.push('name part must be no more than 63 bytes');
  if (!has(QUALIFIED, name)) found.push(`name part ${breach(QUALIFIED)}`);
  return found;
}

/** A prefix of a generated name may end in a dash: something will follow. */
export function asPrefix(check: (text: string) => string[]): (text: string) => string[] {
  return text => check(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text);
}
