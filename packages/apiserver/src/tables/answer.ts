/** Answers as tables, where the client asked for them. */
import { type Clock, isStatus, type KubeObject } from '@capstan/kube';
import { type Answer, value } from '../answer.ts';
import type { KindDefinition, Stored } from '../kind.ts';
import type { OutgoingEvent, Watch } from '../read/watch.ts';
import { badRequest } from '../status.ts';
import { Entry } from '../store/entry.ts';
import { scalePrinter } from './scale.ts';
import { type IncludeObject, type TableOptions, tableBy, tableOf, tableOfBookmark, tableOfObject } from './table.ts';

export interface TableRequest {
  readonly kind: KindDefinition;
  /** Of the request: `includeObject` says what the rows carry. */
  readonly query: URLSearchParams;
  /** Of meta.k8s.io. */
  readonly version: TableOptions['version'];
  readonly clock: Clock;
}

/** The answer as a table. A failure is never one. */
export function tableAnswer(answer: Answer, request: TableRequest): Answer {
  const { kind, clock, version } = request;
  const options: TableOptions = {
    now: clock.now(),
    include: includeObject(request.query),
    version,
    withDefinitions: true,
  };
  switch (answer.kind) {
    case 'entry':
      return value(tableOfObject(kind, answer.entry.object as unknown as KubeObject, options), answer.status);
    case 'list':
      return value(tableOf(kind, answer.entries, answer.metadata, options));
    case 'watch':
      return { kind: 'watch', watch: tableWatch(answer.watch, kind, options, clock) };
    case 'value':
      return isScale(answer.value) ? value(tableBy(scalePrinter, answer.value, options), answer.status) : answer;
    default:
      return answer;
  }
}

function includeObject(query: URLSearchParams): IncludeObject {
  const given = query.get('includeObject') ?? '';
  switch (given) {
    case 'None':
    case 'Metadata':
    case 'Object':
      return given;
    case '':
      return 'Metadata';
    default:
      throw badRequest(
        `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(given)}: must be 'Metadata', 'Object', 'None', or empty`,
      );
  }
}

function isScale(body: unknown): body is KubeObject {
  return typeof body === 'object' && body !== null && !isStatus(body) && 'kind' in body && body.kind === 'Scale';
}

/** Every event as a table of one row, the first of them with the definitions of the columns. */
function tableWatch(watch: Watch, kind: KindDefinition, options: TableOptions, clock: Clock): Watch {
  return {
    start(sink) {
      let withDefinitions = true;
      return watch.start({
        send(event) {
          sink.send(tableEvent(event, kind, { ...options, now: clock.now(), withDefinitions }));
          withDefinitions = false;
        },
        end: () => sink.end(),
      });
    },
  };
}

function tableEvent(event: OutgoingEvent, kind: KindDefinition, options: TableOptions): OutgoingEvent {
  switch (event.type) {
    case 'ERROR':
      return event;
    case 'BOOKMARK':
      return {
        type: 'BOOKMARK',
        object: tableOfBookmark(kind, event.object as KubeObject, bookmarkOptions(event, options)),
      };
    default: {
      const { entry, type } = event;
      const table = tableOfObject(kind, entry.object as unknown as KubeObject, options);
      return { type, entry: Entry.of(entry.key, entry.revision, table as unknown as Stored) };
    }
  }
}

/** The bookmark that ends the initial events carries its annotation whatever the client wants to see of objects. */
function bookmarkOptions({ object }: { readonly object: object }, options: TableOptions): TableOptions {
  const { annotations } = (object as KubeObject).metadata;
  const endsInitialEvents = annotations?.['k8s.io/initial-events-end'] === 'true';
  return endsInitialEvents && options.include === 'None' ? { ...options, include: 'Metadata' } : options;
}
