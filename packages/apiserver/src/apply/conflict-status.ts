/** The 409 that an apply answers with, word for word: kubectl prints it, and tools read the causes. */
import type { Status } from '@capstan/kube';
import type { Conflict } from './apply-configuration.ts';
import { quoted } from './go-text.ts';

export function conflictStatus(conflicts: readonly Conflict[]): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: conflictMessage(conflicts),
    reason: 'Conflict',
    details: {
      causes: conflicts.map(conflict => ({
        reason: 'FieldManagerConflict',
        message: `conflict with ${managerText(conflict)}`,
        field: conflict.field,
      })),
    },
    code: 409,
  };
}

function conflictMessage(conflicts: readonly Conflict[]): string {
  const [only] = conflicts;
  if (only !== undefined && conflicts.length === 1) {
    return `Apply failed with 1 conflict: conflict with ${managerText(only)}: ${only.field}`;
  }
  const byManager = Map.groupBy(conflicts, managerText);
  const lines = [...byManager].flatMap(([manager, theirs]) => [
    `conflicts with ${manager}:`,
    ...theirs.map(({ field }) => `- ${field}`),
  ]);
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

/** `"kubectl" with subresource "status" using apps/v1`. Versions tell updaters apart, not appliers. */
function managerText({ manager, subresource, operation, apiVersion }: Conflict): string {
  const name = quoted(manager) + (subresource === '' ? '' : ` with subresource ${quoted(subresource)}`);
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}
