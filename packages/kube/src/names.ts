/**
 * What Kubernetes accepts as a name, a label and an annotation key. Each check gives the problems it found, in the words of
 * the API server, and an empty list when there is none.
 */

const DNS1123_LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const DNS1123_SUBDOMAIN = `${DNS1123_LABEL}(\\.${DNS1123_LABEL})*`;
const DNS1035_LABEL = '[a-z]([-a-z0-9]*[a-z0-9])?';
const QUALIFIED_NAME = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const LABEL_VALUE = `(${QUALIFIED_NAME})?`;
const CONFIG_KEY = '[-._a-zA-Z0-9]+';
const ENVIRONMENT_NAME = '[-._a-zA-Z][-._a-zA-Z0-9]*';

const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);
const dns1123Label = whole(DNS1123_LABEL);
const dns1123Subdomain = whole(DNS1123_SUBDOMAIN);
const dns1035Label = whole(DNS1035_LABEL);
const qualifiedName = whole(QUALIFIED_NAME);
const labelValue = whole(LABEL_VALUE);
const configKey = whole(CONFIG_KEY);

/** Names of most kinds: `my-app.v2`, at most 253 characters. */
export function validateDns1123Subdomain(value: string): string[] {
  return subdomainProblems(value, 'characters');
}

function subdomainProblems(value: string, unit: LengthUnit): string[] {
  const problems = tooLong(value, 253, unit);
  if (!dns1123Subdomain.test(value)) {
    problems.push(
      mismatch(
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
        DNS1123_SUBDOMAIN,
        'example.com',
      ),
    );
  }
  return problems;
}

/** Names of namespaces and whatever becomes a DNS label: `my-app`, at most 63 characters. */
export function validateDns1123Label(value: string): string[] {
  const problems = tooLong(value, 63);
  if (dns1123Label.test(value)) return problems;
  if (dns1123Subdomain.test(value)) return [...problems, 'must not contain dots'];
  problems.push(
    mismatch(
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
      DNS1123_LABEL,
      'my-name',
      '123-abc',
    ),
  );
  return problems;
}

/** Names of Services: as a DNS-1123 label, but the first character is a letter. */
export function validateDns1035Label(value: string): string[] {
  const problems = tooLong(value, 63);
  if (!dns1035Label.test(value)) {
    problems.push(
      mismatch(
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
        DNS1035_LABEL,
        'my-name',
        'abc-123',
      ),
    );
  }
  return problems;
}

/** Keys of labels and annotations, names of finalizers: `example.com/my-name` or `my-name`. */
export function validateQualifiedName(value: string): string[] {
  const parts = value.split('/');
  const rule = mismatch(
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    QUALIFIED_NAME,
    'MyName',
    'my.name',
    '123-abc',
  );
  if (parts.length > 2) {
    return [`a valid label key ${rule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const problems: string[] = [];
  const [prefix, name] = parts.length === 2 ? [parts[0]!, parts[1]!] : [undefined, value];
  if (prefix === '') problems.push('prefix part must be non-empty');
  else if (prefix !== undefined) {
    problems.push(...subdomainProblems(prefix, 'bytes').map(problem => `prefix part ${problem}`));
  }
  if (name === '') problems.push('name part must be non-empty');
  else problems.push(...tooLong(name, 63, 'bytes').map(problem => `name part ${problem}`));
  if (!qualifiedName.test(name)) problems.push(`name part ${rule}`);
  return problems;
}

export const validateLabelKey = validateQualifiedName;

export function validateLabelValue(value: string): string[] {
  const problems = tooLong(value, 63, 'bytes');
  if (!labelValue.test(value)) {
    problems.push(
      mismatch(
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
        LABEL_VALUE,
        'MyValue',
        'my_value',
        '12345',
      ),
    );
  }
  return problems;
}

/** Annotation keys are qualified names whose letters may be of either case in the prefix too. */
export function validateAnnotationKey(value: string): string[] {
  return validateQualifiedName(value.toLowerCase());
}

/** Keys of the data of ConfigMaps and Secrets. */
export function validateConfigKey(value: string): string[] {
  const problems = tooLong(value, 253);
  if (!configKey.test(value)) {
    problems.push(
      mismatch(
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
        CONFIG_KEY,
        'key.name',
        'KEY_NAME',
        'key-name',
      ),
    );
  }
  return [...problems, ...escapesDirectory(value)];
}

/** Names of environment variables, as Kubernetes allows them since 1.32: printable ASCII without `=`. */
export function validateEnvironmentName(value: string): string[] {
  const problems = value === '' ? ['environment variable name must be non-empty'] : [];
  if (!/^[ -<>-~]*$/.test(value)) {
    problems.push("a valid environment variable name must consist only of printable ASCII characters other than '='");
  }
  return problems;
}

/** The narrower rule for variables that come from a whole ConfigMap or Secret: others are skipped. */
export function isPortableEnvironmentName(value: string): boolean {
  return whole(ENVIRONMENT_NAME).test(value) && escapesDirectory(value).length === 0;
}

/** Names of container ports: at most 15 of `a-z`, `0-9`, `-`, with a letter among them. */
export function validatePortName(value: string): string[] {
  const problems = tooLong(value, 15);
  if (!/^[-a-z0-9]+$/.test(value)) {
    problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (!/[a-z]/.test(value)) problems.push('must contain at least one letter (a-z)');
  if (value.includes('--')) problems.push('must not contain consecutive hyphens');
  if (value.startsWith('-') || value.endsWith('-')) problems.push('must not begin or end with a hyphen');
  return problems;
}

export function validatePortNumber(value: number): string[] {
  return Number.isInteger(value) && value >= 1 && value <= 65535 ? [] : ['must be between 1 and 65535, inclusive'];
}

/**
 * What may stand in a URL as the name of anything. Servers decode `%2F` before they cut the path, so that a name with a slash
 * would reach another object or subresource than the one it seems to name.
 */
export function validatePathSegment(value: string): string[] {
  if (value === '.' || value === '..') return [`may not be '${value}'`];
  return ['/', '%'].filter(character => value.includes(character)).map(character => `may not contain '${character}'`);
}

/** Kubernetes counts bytes, and says so of labels only. */
type LengthUnit = 'bytes' | 'characters';

function tooLong(value: string, most: number, unit: LengthUnit = 'characters'): string[] {
  return value.length > most || Buffer.byteLength(value) > most ? [`must be no more than ${most} ${unit}`] : [];
}

function mismatch(rule: string, pattern: string, ...examples: string[]): string {
  const shown = examples.map(example => `'${example}', `).join(' or ');
  return `${rule} (e.g. ${shown}regex used for validation is '${pattern}')`;
}

function escapesDirectory(value: string): string[] {
  if (value === '.') return ["must not be '.'"];
  if (value === '..') return ["must not be '..'"];
  return value.startsWith('..') ? ["must not start with '..'"] : [];
}
