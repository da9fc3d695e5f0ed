/** Objects as tables, for clients that show them, and as their metadata alone, for clients that need no more. */
import type { Clock } from '@capstan/kube';
import type { Answer, ListShape } from './answer.ts';
import type { KindDefinition } from './kind.ts';
import type { MetadataView, View } from './negotiation.ts';
import type { OutgoingEvent, Watch } from './read/watch.ts';
import { failure, type StatusError } from './status.ts';
import type { Entry } from './store/entry.ts';
import { tableAnswer } from './tables/answer.ts';

const TYPE = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' } as const;
const LIST: ListShape = {
  kind: TYPE.kind,
  listKind: 'PartialObjectMetadataList',
  group: 'meta.k8s.io',
  version: 'v1',
  custom: true,
};

/** What an answer is about. */
export interface Subject {
  /** Undefined where no such kind is served, which the answer says. */
  readonly kind: KindDefinition | undefined;
  readonly query: URLSearchParams;
  readonly clock: Clock;
}

/** The answer in the form that the client asked for. Failures and texts stay what they are. */
export function represent(answer: Answer, view: View, { kind, query, clock }: Subject): Answer {
  if (view === 'Object') return answer;
  if (typeof view === 'string') return metadataAnswer(answer, view);
  return kind ? tableAnswer(answer, { kind, query, clock, version: view.table }) : answer;
}

function metadataAnswer(answer: Answer, view: MetadataView): Answer {
  switch (answer.kind) {
    case 'entry':
      if (view !== 'PartialObjectMetadata') throw notAs(view, 'not a list');
      return { ...answer, entry: metadataOf(answer.entry) };
    case 'list': {
      if (view !== 'PartialObjectMetadataList') throw notAs(view, 'a list');
      const { continue: next, ...metadata } = answer.metadata;
      return {
        ...answer,
        shape: LIST,
        metadata: next ? { ...metadata, continue: next } : metadata,
        entries: answer.entries.map(metadataOf),
      };
    }
    case 'watch':
      return { kind: 'watch', watch: metadataWatch(answer.watch) };
    case 'value':
    case 'text':
    case 'document':
    case 'stream':
      return answer;
  }
}

const notAs = (view: MetadataView, what: string): StatusError =>
  failure(406, 'NotAcceptable', `you requested ${view}, but the requested object is ${what}`);

const metadataOf = (entry: Entry): Entry => entry.view(TYPE, ({ metadata }) => ({ ...TYPE, metadata }));

function metadataWatch(watch: Watch): Watch {
  return {
    start: sink => watch.start({ send: event => sink.send(metadataEvent(event)), end: () => sink.end() }),
  };
}

function metadataEvent(event: OutgoingEvent): OutgoingEvent {
  switch (event.type) {
    case 'ERROR':
      return event;
    case 'BOOKMARK':
      return { type: 'BOOKMARK', object: { ...event.object, ...TYPE } };
    default:
      return { type: event.type, entry: metadataOf(event.entry) };
  }
}
