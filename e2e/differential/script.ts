/**
 * A script is a list of requests on one topic. The same script goes to the embedded API server and to a real one; the
 * answers, normalised, must be the same.
 *
 * Strings of paths, queries and bodies may hold `$name`: `$ns` is the script's own Namespace, which the runner creates
 * first, and `capture` adds further names from an answer. A `$word` that nothing captured stays as it is (`$patch`).
 */
export interface Script {
  /** Names the fixture file, and the script's Namespace. */
  readonly name: string;
  /** What the script is about, as the title of its test. */
  readonly about: string;
  readonly steps: readonly Step[];
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Step {
  /** A sentence that says what is tried; unique within a script, because accepted differences name it. */
  readonly title: string;
  readonly method: Method;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of the body: `application/json` unless said otherwise. */
  readonly contentType?: string;
  /** A JSON value, or a text that is sent as it is (YAML, or something broken on purpose). */
  readonly body?: unknown;
  /** Variables for later steps: name → dotted path into the answer (`metadata.resourceVersion`, `items.0.metadata.name`). */
  readonly capture?: Readonly<Record<string, string>>;
  /** Send again until the answer is like this; only the last one counts. For what servers do a moment later. */
  readonly until?: { readonly status: number; readonly holds?: (body: unknown) => boolean };
  /** The answer is a watch: this many events are read and then it is closed. */
  readonly events?: number;
}

export type Extra = Omit<Step, 'title' | 'method' | 'path' | 'body'>;

type StepWith = (title: string, path: string, extra?: Extra) => Step;
type StepWithBody = (title: string, path: string, body: unknown, extra?: Extra) => Step;

const bare =
  (method: Method): StepWith =>
  (title, path, extra = {}) => ({ title, method, path, ...extra });

const withBody =
  (method: Method, contentType?: string): StepWithBody =>
  (title, path, body, extra = {}) => ({ title, method, path, body, ...(contentType && { contentType }), ...extra });

export const get = bare('GET');
export const post = withBody('POST');
export const put = withBody('PUT');
export const remove = bare('DELETE');
export const removeWith = withBody('DELETE');
export const jsonPatch = withBody('PATCH', 'application/json-patch+json');
export const mergePatch = withBody('PATCH', 'application/merge-patch+json');
export const strategicPatch = withBody('PATCH', 'application/strategic-merge-patch+json');

/** A server-side apply: who applies, and whether by force, are part of every such request. */
export function apply(
  title: string,
  path: string,
  by: { readonly manager: string; readonly force?: boolean },
  body: unknown,
  { query, ...extra }: Extra = {},
): Step {
  return {
    title,
    method: 'PATCH',
    path,
    contentType: 'application/apply-patch+yaml',
    body,
    ...extra,
    query: { fieldManager: by.manager, ...(by.force && { force: 'true' }), ...query },
  };
}

/** A watch that ends after a number of events. */
export function watch(title: string, path: string, events: number, query: Readonly<Record<string, string>> = {}): Step {
  return { title, method: 'GET', path, query: { watch: 'true', ...query }, events };
}
