import type { CoreEvent, Sparse } from '@capstan/kube';
import { since } from './duration.ts';
import { fieldOf, NAME, type PrintContext, type Printer } from './printer.ts';

export const eventPrinter: Printer<CoreEvent> = {
  columns: [
    { name: 'Last Seen', description: fieldOf('core.v1.Event', 'lastTimestamp'), cell: lastSeen },
    { name: 'Type', description: fieldOf('core.v1.Event', 'type'), cell: ({ type }) => type ?? '' },
    { name: 'Reason', description: fieldOf('core.v1.Event', 'reason'), cell: ({ reason }) => reason ?? '' },
    {
      name: 'Object',
      description: fieldOf('core.v1.Event', 'involvedObject'),
      cell({ involvedObject: { kind = '', name = '' } = {} }) {
        return name === '' ? kind.toLowerCase() : `${kind.toLowerCase()}/${name}`;
      },
    },
    {
      name: 'Subobject',
      wide: true,
      description: fieldOf('core.v1.ObjectReference', 'fieldPath'),
      cell: ({ involvedObject }) => involvedObject?.fieldPath ?? '',
    },
    { name: 'Source', wide: true, description: fieldOf('core.v1.Event', 'source'), cell: eventSource },
    {
      name: 'Message',
      description: fieldOf('core.v1.Event', 'message'),
      cell: ({ message = '' }) => message.trim(),
    },
    { name: 'First Seen', wide: true, description: fieldOf('core.v1.Event', 'firstTimestamp'), cell: firstSeen },
    {
      name: 'Count',
      wide: true,
      description: fieldOf('core.v1.Event', 'count'),
      // An event of the newer kind has no count before it happens again.
      cell: ({ count, series }) => (series ? (series.count ?? 0) : count || 1),
    },
    { ...NAME, wide: true },
  ],
};

function firstSeen({ firstTimestamp, eventTime }: Sparse<CoreEvent>, { now }: PrintContext): string {
  return since(firstTimestamp ?? eventTime, now);
}

function lastSeen(event: Sparse<CoreEvent>, context: PrintContext): string {
  if (event.series) return since(event.series.lastObservedTime, context.now);
  return event.lastTimestamp ? since(event.lastTimestamp, context.now) : firstSeen(event, context);
}

function eventSource({ source, reportingComponent, reportingInstance }: Sparse<CoreEvent>): string {
  const component = source?.component || reportingComponent || '';
  const instance = source?.host || reportingInstance || '';
  return instance === '' ? component : `${component}, ${instance}`;
}
