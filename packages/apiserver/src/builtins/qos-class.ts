/** How sure a Pod can be of what it asked for, derived from the requests and limits of its containers. */
import { compareQuantities } from '@capstan/kube';
import { listOf, type Tree } from './tree.ts';

const COUNTED = ['cpu', 'memory'] as const;

export type QosClass = 'Guaranteed' | 'Burstable' | 'BestEffort';

export function qosClass(spec: Tree): QosClass {
  const asked = spec['resources']
    ? [spec['resources'] as Tree]
    : [...listOf(spec, 'containers'), ...listOf(spec, 'initContainers')].map(
        container => (container['resources'] ?? {}) as Tree,
      );
  const isAsked = (resources: Tree): boolean =>
    COUNTED.some(name => isPositive(resources['requests']?.[name]) || isPositive(resources['limits']?.[name]));
  if (!asked.some(isAsked)) return 'BestEffort';
  return asked.every(isGuaranteed) ? 'Guaranteed' : 'Burstable';
}

/** A limit on both, and nothing less requested. */
function isGuaranteed(resources: Tree): boolean {
  return COUNTED.every(name => {
    const limit = resources['limits']?.[name] as string | undefined;
    const request = (resources['requests']?.[name] as string | undefined) ?? limit;
    return isPositive(limit) && compareQuantities(request!, limit!) === 0;
  });
}

function isPositive(quantity: string | undefined): quantity is string {
  return quantity !== undefined && compareQuantities(quantity, 0) > 0;
}
