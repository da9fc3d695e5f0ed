import type { Cache } from '@capstan/controller';
import { type Pod, pods } from '@capstan/kube';

const INDEX = 'assigned-to';
const nodeOf = ({ spec }: Pod): string | undefined => spec.nodeName;

/** Lets the Pods of a node be found without looking at all Pods. */
export function declarePodsByNode(cache: Cache): void {
  cache.declare(pods, { indexes: { [INDEX]: nodeOf } });
}

/** The Pods that are assigned to a node, as the cache has them now. */
export const podsOnNode = (cache: Cache, node: string): readonly Pod[] => cache.of(pods).now.by(INDEX, node);
