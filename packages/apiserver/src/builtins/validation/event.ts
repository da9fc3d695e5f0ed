/** Events, by either face. The errors speak of the stored one, which is the older. */
import { deepEqual, validateQualifiedName } from '@capstan/kube';
import { invalidValue, requiredValue } from '../../field-error.ts';
import type { Draft, Stored } from '../../kind.ts';
import { eventToStorage } from '../event-conversion.ts';
import type { Tree } from '../tree.ts';
import { checkText, type Errors, IMMUTABLE } from './fields.ts';

const MOST_LETTERS = 128;
const MOST_MESSAGE = 1024;

export const validateCoreEvent = (event: Draft): Errors => commonErrors(event, 'reportingComponent');

/** What holds for both; events with an `eventTime` are of the new sort, whoever wrote them. */
function commonErrors(event: Draft, controllerField: string): Errors {
  const errors: Errors = [];
  const namespace = (event['involvedObject']?.namespace ?? '') as string;
  const own = event.metadata.namespace ?? '';
  const mismatch = invalidValue('involvedObject.namespace', namespace, 'does not match event.namespace');
  if (!event['eventTime']) {
    // What is in no namespace is reported in the default one.
    if (namespace === '' ? own !== '' && own !== 'default' : namespace !== own) errors.push(mismatch);
    return errors;
  }
  if (namespace === '' && own !== 'default' && own !== 'kube-system') errors.push(mismatch);
  const controller = (event['reportingComponent'] ?? '') as string;
  if (controller === '') errors.push(requiredValue(controllerField));
  checkText(errors, controllerField, controller, validateQualifiedName);
  for (const field of ['reportingInstance', 'action', 'reason']) checkLength(errors, field, event[field] ?? '');
  const message = (event['message'] ?? '') as string;
  if (message.length > MOST_MESSAGE) {
    errors.push(invalidValue('message', '', `can have at most ${MOST_MESSAGE} characters`));
  }
  return errors;
}

function checkLength(errors: Errors, field: string, text: string): void {
  if (text === '') errors.push(requiredValue(field));
  if (text.length > MOST_LETTERS) errors.push(invalidValue(field, '', `can have at most ${MOST_LETTERS} characters`));
}

export function validateNewEvent(event: Draft): Errors {
  const errors: Errors = [];
  const stored = eventToStorage(event);
  if (!stored['eventTime']) errors.push(requiredValue('eventTime'));
  const type = (stored['type'] ?? '') as string;
  if (type !== 'Normal' && type !== 'Warning') errors.push(invalidValue('type', '', `has invalid value: ${type}`));
  const source = (stored['source'] ?? {}) as Tree;
  const old = {
    firstTimestamp: stored['firstTimestamp'],
    lastTimestamp: stored['lastTimestamp'],
    count: stored['count'],
    source: source['component'] || source['host'],
  };
  for (const [field, value] of Object.entries(old))
    if (value) errors.push(invalidValue(field, '', 'needs to be unset'));
  return errors;
}

export const validateEvent = (event: Draft): Errors => commonErrors(eventToStorage(event), 'reportingController');

const FIXED: readonly (readonly [stored: string, events: string])[] = [
  ['involvedObject', 'regarding'],
  ['reason', 'reason'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['type', 'type'],
  ['eventTime', 'eventTime'],
  ['action', 'action'],
  ['related', 'related'],
  ['reportingController', 'reportingController'],
  ['reportingInstance', 'reportingInstance'],
];

/** Only the series of an Event goes on. */
export function validateEventUpdate(event: Draft, old: Stored): Errors {
  return FIXED.filter(([, field]) => !deepEqual(event[field], old[field])).map(([stored, field]) =>
    invalidValue(stored, field === 'regarding' ? internalReference(event[field]) : (event[field] ?? null), IMMUTABLE),
  );
}

function internalReference(reference: Tree | undefined): Tree {
  const fields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];
  const goName = (field: string): string =>
    field === 'uid' ? 'UID' : field === 'apiVersion' ? 'APIVersion' : field.slice(0, 1).toUpperCase() + field.slice(1);
  return Object.fromEntries(fields.map(field => [goName(field), reference?.[field] ?? '']));
}
