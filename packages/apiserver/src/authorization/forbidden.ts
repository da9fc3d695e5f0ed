/** 403 in Kubernetes' words. */
import type { User } from '../request.ts';
import { goQuote } from '../schema/go-text.ts';
import { failure, type StatusError } from '../status.ts';
import type { Attributes } from './attributes.ts';

export function forbiddenRequest(user: User, attributes: Attributes, reason: string): StatusError {
  const message = harmless(`User ${goQuote(user.name)} cannot ${what(attributes)}`);
  const why = reason === '' ? message : `${message}: ${reason}`;
  if (attributes.type === 'path') return failure(403, 'Forbidden', `forbidden: ${why}`, {});
  const { group, resource, name } = attributes;
  const qualified = group === '' ? resource : `${resource}.${group}`;
  const subject = name === '' ? qualified : `${qualified} ${goQuote(name)}`;
  return failure(403, 'Forbidden', `${subject} is forbidden: ${why}`, {
    ...(name !== '' && { name }),
    ...(group !== '' && { group }),
    kind: resource,
  });
}

function what(attributes: Attributes): string {
  if (attributes.type === 'path') return `${attributes.verb} path ${goQuote(attributes.path)}`;
  const { verb, group, resource, subresource, namespace } = attributes;
  const named = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${goQuote(namespace)}`;
  return `${verb} resource ${goQuote(named)} in API group ${goQuote(group)} ${where}`;
}

const MARKUP: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** A path comes from the client, and a browser might take the answer for a page. */
const harmless = (text: string): string => text.replace(/[&<>]/g, character => MARKUP[character]!);
