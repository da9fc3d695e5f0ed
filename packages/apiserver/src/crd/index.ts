// Replaced when custom resources land: until then no CRD is served.
import type { KindDefinition, Stored } from '../kind.ts';

export interface CrdSurroundings {
  readonly others: readonly Stored[];
  readonly builtins: readonly KindDefinition[];
  /** RFC 3339. */
  readonly now: string;
}

/** The status a definition should have, given the others: names accepted, established, stored versions. */
export function crdStatus(crd: Stored, _surroundings: CrdSurroundings): unknown {
  return crd['status'];
}

export function kindDefinitions(_crd: Stored): readonly KindDefinition[] {
  return [];
}
