/** Which nodes a Pod, or a volume, asks for. */
import type { Node, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm } from '@capstan/kube';

/** One of the terms has to hold. A term without requirements holds for no node. */
export function selectsNode({ nodeSelectorTerms }: NodeSelector, node: Node): boolean {
  return nodeSelectorTerms.some(term => holds(term, node));
}

export function holds({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, { metadata }: Node): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  return (
    matchExpressions.every(requirement => meets(metadata.labels?.[requirement.key], requirement)) &&
    // The name is the only field there is.
    matchFields.every(requirement => requirement.key === 'metadata.name' && meets(metadata.name, requirement))
  );
}

function meets(value: string | undefined, { operator, values = [] }: NodeSelectorRequirement): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return isInteger(value) && isInteger(values[0]) && BigInt(value) > BigInt(values[0]);
    case 'Lt':
      return isInteger(value) && isInteger(values[0]) && BigInt(value) < BigInt(values[0]);
  }
}

const isInteger = (text: string | undefined): text is string => text !== undefined && /^-?\d+$/.test(text);
