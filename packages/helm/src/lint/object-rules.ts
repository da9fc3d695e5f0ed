/** Rules for the objects that templates give. */

import { deprecatedApis } from './deprecated-apis.ts';

export interface LintedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const subdomainMessage =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const label1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const label1035Message =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const labelMessage =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

function matching(name: string, longest: number, pattern: RegExp, message: string): string[] {
  const tooLong = name.length > longest ? [`must be no more than ${longest} bytes`] : [];
  return pattern.test(name) ? tooLong : [...tooLong, message];
}

function pathSegment(name: string): string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return ['/', '%'].filter(character => name.includes(character)).map(character => `may not contain '${character}'`);
}

/** What Kubernetes has against a name of this kind. */
function nameProblems(kind: string, name: string): string[] {
  switch (kind.toLowerCase()) {
    case 'service':
      return matching(name, 63, label1035, label1035Message);
    case 'namespace':
      return matching(name, 63, label, labelMessage);
    case 'certificatesigningrequest':
      return [];
    case 'role':
    case 'clusterrole':
    case 'rolebinding':
    case 'clusterrolebinding':
      return pathSegment(name);
    default:
      return matching(name, 253, subdomain, subdomainMessage);
  }
}

export function nameRule({ kind, name }: LintedObject): string | undefined {
  const problems = nameProblems(kind, name).map(
    message => `metadata.name: Invalid value: ${JSON.stringify(name)}: ${message}`,
  );
  if (problems.length === 0) return undefined;
  const all = problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`;
  return `object name does not conform to Kubernetes naming requirements: ${JSON.stringify(name)}: ${all}`;
}

export function deprecationRule({ apiVersion, kind }: LintedObject, minor: number): string | undefined {
  const api = `${apiVersion} ${kind}`;
  const deprecated = deprecatedApis.get(api);
  if (!deprecated || minor < deprecated.since) return undefined;
  const removed = deprecated.removed === undefined ? '' : `, unavailable in v1.${deprecated.removed}+`;
  const replacement = deprecated.replacement ? `; use ${deprecated.replacement}` : '';
  return `${api} is deprecated in v1.${deprecated.since}+${removed}${replacement}`;
}

const selecting = new Set(['Deployment', 'ReplicaSet', 'DaemonSet', 'StatefulSet']);

/** Looks at the whole file, as Helm does. */
export function selectorRule({ kind, name }: LintedObject, content: string): string | undefined {
  if (!selecting.has(kind) || /matchLabels|matchExpressions/.test(content)) return undefined;
  return `a ${kind} must contain matchLabels or matchExpressions, and ${JSON.stringify(name)} does not`;
}
