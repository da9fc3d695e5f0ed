/** Events are stored once and selected by the field names of either API group; both read the stored (core) form. */
import type { Stored } from '../../kind.ts';

type Fields = Readonly<Record<string, (event: Stored) => string>>;

const OBJECT_FIELDS = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const;

function ofObject(prefix: string): Fields {
  return Object.fromEntries(
    OBJECT_FIELDS.map(field => [
      `${prefix}.${field}`,
      (event: Stored) => (event['involvedObject'] ?? event['regarding'])?.[field] ?? '',
    ]),
  );
}

const reportingController = (event: Stored): string =>
  event['reportingComponent'] ?? event['reportingController'] ?? '';
const sourceComponent = (event: Stored): string =>
  (event['source'] ?? event['deprecatedSource'])?.component || reportingController(event);

const shared: Fields = {
  reason: event => event['reason'] ?? '',
  type: event => event['type'] ?? '',
};

export const coreEventFields: Fields = {
  ...ofObject('involvedObject'),
  ...shared,
  reportingComponent: reportingController,
  source: sourceComponent,
};

export const eventsGroupFields: Fields = { ...ofObject('regarding'), ...shared, reportingController };
