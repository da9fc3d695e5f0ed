/**
 * How many requests there were, of what kind, with what outcome, and how long they took. A request costs two looks at the clock
 * and a few array accesses; label texts are made when someone reads them.
 */
import type { Clock } from '@capstan/kube';
import type { Answer } from '../answer.ts';
import type { KindDefinition } from '../kind.ts';
import type { Kinds } from '../kinds.ts';
import type { Watch, WatchSink } from '../read/watch.ts';
import type { ServerRequest, Target } from '../request.ts';
import type { Exposition, Labels } from './exposition.ts';
import { Histogram } from './histogram.ts';
import { isMutating, SCOPES, scopeOf, subjectOf, VERBS, verbOf } from './request-labels.ts';

/** Kubernetes' own, so that dashboards made for it work. */
const DURATION_BOUNDS = [
  ...[0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60],
];

/** Requests that are counted alike but for their outcome. */
class Series {
  readonly labels: Labels;
  readonly codes = new Map<number, number>();
  readonly duration = new Histogram(DURATION_BOUNDS);
  /** Watches that are open. */
  open = 0;

  constructor(labels: Labels) {
    this.labels = labels;
  }

  count(code: number): void {
    this.codes.set(code, (this.codes.get(code) ?? 0) + 1);
  }
}

/** All that is asked of one resource, or of what is none. */
class Subject {
  readonly labels: Labels;
  readonly #bySubresource = new Map<string, (Series | undefined)[]>();
  /** Events that were sent to watchers. */
  events = 0;

  constructor(labels: Labels) {
    this.labels = labels;
  }

  series(subresource: string, request: ServerRequest, target: Target | undefined): Series {
    let all = this.#bySubresource.get(subresource);
    if (!all) this.#bySubresource.set(subresource, (all = []));
    const verb = verbOf(request, target);
    const scope = scopeOf(request, target);
    const isDryRun = request.query.size > 0 && request.query.has('dryRun');
    const place = (VERBS.indexOf(verb) * SCOPES.length + SCOPES.indexOf(scope)) * 2 + (isDryRun ? 1 : 0);
    return (all[place] ??= new Series({
      ...this.labels,
      subresource,
      scope,
      component: target ? 'apiserver' : '',
      verb,
      dry_run: isDryRun ? 'All' : '',
    }));
  }

  *all(): Generator<Series> {
    for (const series of this.#bySubresource.values()) for (const one of series) if (one) yield one;
  }
}

export interface Counted {
  /** The answer, or one in its place that is counted for as long as it lasts. */
  done(answer: Answer): Answer;
}

export class RequestMetrics {
  readonly #clock: Clock;
  readonly #kinds: Kinds;
  readonly #paths = new Subject({ group: '', version: '', resource: '' });
  readonly #subjects = new Map<string, Subject>();
  /** Definitions come and go with the CRDs, what is counted stays: this only saves putting a name together. */
  readonly #byDefinition = new WeakMap<KindDefinition, Subject>();
  readonly #inFlight = { readOnly: 0, mutating: 0 };

  constructor(clock: Clock, kinds: Kinds) {
    this.#clock = clock;
    this.#kinds = kinds;
  }

  begin(request: ServerRequest, target: Target | undefined): Counted {
    const asked = subjectOf(this.#kinds, request, target);
    const subject = asked.type === 'resource' ? this.#subject(asked.kind) : this.#paths;
    const series = subject.series(asked.type === 'resource' ? asked.subresource : asked.path, request, target);
    const kind = isMutating(request) ? 'mutating' : 'readOnly';
    const begun = this.#clock.monotonic();
    this.#inFlight[kind]++;
    return {
      done: answer => {
        this.#inFlight[kind]--;
        series.count(statusOf(answer));
        if (answer.kind === 'watch') return { kind: 'watch', watch: counted(answer.watch, series, subject) };
        series.duration.observe((this.#clock.monotonic() - begun) / 1000);
        return answer;
      },
    };
  }

  #subject(kind: KindDefinition): Subject {
    const known = this.#byDefinition.get(kind);
    if (known) return known;
    const { group, version, plural: resource } = kind;
    const name = `${group}/${version}/${resource}`;
    const subject = this.#subjects.get(name) ?? new Subject({ group, version, resource });
    this.#subjects.set(name, subject);
    this.#byDefinition.set(kind, subject);
    return subject;
  }

  write(to: Exposition): void {
    const subjects = [this.#paths, ...this.#subjects.values()];
    const all = subjects.flatMap(subject => [...subject.all()]);
    const total = to.family(
      'apiserver_request_total',
      'counter',
      'Requests by verb, dry run value, group, version, resource, subresource, scope, component and HTTP status.',
    );
    for (const { labels, codes } of all) {
      for (const [code, count] of codes) total.add({ ...labels, code: String(code) }, count);
    }
    const duration = to.family(
      'apiserver_request_duration_seconds',
      'histogram',
      'How long requests took, watches left out.',
    );
    for (const series of all) if (series.duration.count > 0) duration.addHistogram(series.labels, series.duration);
    const inFlight = to.family('apiserver_current_inflight_requests', 'gauge', 'Requests that are being answered.');
    for (const [kind, count] of Object.entries(this.#inFlight)) inFlight.add({ request_kind: kind }, count);
    const longRunning = to.family('apiserver_longrunning_requests', 'gauge', 'Watches that are open.');
    for (const { open, labels } of all) {
      const { dry_run: _, ...rest } = labels;
      if (open > 0) longRunning.add(rest, open);
    }
    const events = to.family('apiserver_watch_events_total', 'counter', 'Events that were sent to watchers.');
    for (const subject of subjects) if (subject.events > 0) events.add(subject.labels, subject.events);
  }
}

function statusOf(answer: Answer): number {
  return 'status' in answer ? answer.status : 200;
}

function counted(watch: Watch, series: Series, subject: Subject): Watch {
  return {
    start(sink) {
      let open = true;
      series.open++;
      const close = (): void => {
        if (open) series.open--;
        open = false;
      };
      const counting: WatchSink = {
        send(event) {
          subject.events++;
          sink.send(event);
        },
        end() {
          close();
          sink.end();
        },
      };
      const stop = watch.start(counting);
      return () => {
        close();
        stop();
      };
    },
  };
}
