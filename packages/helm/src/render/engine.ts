/** Runs the templates of a chart as one set, as Helm's engine does. */

import {
  Budget,
  defaultLimits,
  define,
  defineWith,
  type Execution,
  type FuncMap,
  GoError,
  GoMap,
  LimitError,
  type Limits,
  ParseError,
  type System,
  sprintf,
  Template,
  type Value,
} from '@capstan/gotemplate';
import type { HelmVersion } from '../version.ts';
import { valuesType } from './cluster-objects.ts';
import { baseFunctions } from './functions.ts';
import type { Renderable } from './scope.ts';
import { executionFailure, marked, parseFailure } from './template-errors.ts';

/** What `lookup` finds in the cluster; an empty map where there is nothing. */
export type LookupFunction = (apiVersion: string, kind: string, namespace: string, name: string) => Value;

export interface EngineOptions {
  readonly helm: HelmVersion;
  readonly lookup?: LookupFunction | undefined;
  /** Time and randomness, for tests. */
  readonly system?: Partial<System> | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /** For linting: `required` and `fail` tell what they would say and let the template go on. */
  readonly tolerate?: ((message: string) => void) | undefined;
  /** Refuse keys that are not there, as `helm lint --strict` once did. */
  readonly strict?: boolean | undefined;
}

/** How deep templates may include themselves; Helm's number. */
const maxNested = 1000;

/** The text of each file that is no partial, by name. */
export function runTemplates(templates: readonly Renderable[], options: EngineOptions): Map<string, string> {
  const limits = { ...defaultLimits, ...options.limits };
  const set = new Template('gotpl', {
    functions: functionsOf(options),
    missingKey: options.strict ? 'error' : 'zero',
  });
  bindSet(set, new Map());
  const ordered = inOrder(templates);
  for (const { name, text } of ordered) {
    try {
      set.new(name).parse(text);
    } catch (error) {
      throw parseFailure(name, error as Error);
    }
  }
  return executeAll(set, ordered, limits, options.helm);
}

function executeAll(
  set: Template,
  templates: readonly Renderable[],
  limits: Limits,
  helm: HelmVersion,
): Map<string, string> {
  const rendered = new Map<string, string>();
  const budget = new Budget(limits);
  let total = 0;
  for (const { name, data, basePath } of templates) {
    if (isPartial(name)) continue;
    data.set('Template', new GoMap(Object.entries({ Name: name, BasePath: basePath }), valuesType(helm)));
    try {
      const text = set.executeTemplate(name, data, { budget }).replaceAll('<no value>', '');
      total += text.length;
      if (total > limits.output) {
        throw new LimitError('output', `chart exceeded its output limit of ${limits.output}`);
      }
      rendered.set(name, text);
    } catch (error) {
      throw executionFailure(name, error, helm);
    }
  }
  return rendered;
}

const isPartial = (name: string): boolean => name.slice(name.lastIndexOf('/') + 1).startsWith('_');

/** Deepest paths first, so that a parent's `define` replaces that of the charts below it. */
function inOrder(templates: readonly Renderable[]): Renderable[] {
  const unique = new Map(templates.map(template => [template.name, template]));
  const depth = (name: string) => name.split('/').length;
  return [...unique.values()].sort(
    (left, right) =>
      depth(right.name) - depth(left.name) || Buffer.compare(Buffer.from(right.name), Buffer.from(left.name)),
  );
}

function functionsOf({ helm, lookup, system, tolerate }: EngineOptions): FuncMap {
  const complain = (message: string): string => {
    if (!tolerate) throw new GoError(marked(message));
    tolerate(message);
    return '';
  };
  return {
    ...baseFunctions(helm, system),
    required: define('string, any', (message, value) => (value === null || value === '' ? complain(message) : value)),
    fail: define('string', message => complain(message)),
    lookup: define('string, string, string, string', (apiVersion, kind, namespace, name) =>
      lookup ? lookup(apiVersion, kind, namespace, name) : new GoMap(),
    ),
  };
}

/** `include` and `tpl` belong to a set: within `tpl` they see what its text defines. */
function bindSet(set: Template, nested: Map<string, number>): void {
  set.functions({
    include: defineWith('string, any', (execution, name, data) => {
      const depth = nested.get(name) ?? 0;
      if (depth > maxNested) {
        throw new GoError(`rendering template has a nested reference name: ${name}: unable to execute template`);
      }
      nested.set(name, depth + 1);
      try {
        return set.include(execution, name, data);
      } finally {
        nested.set(name, depth);
      }
    }),
    tpl: defineWith('string, any', (execution, text, data) => evaluate(set, nested, execution, text, data)),
  });
}

function evaluate(set: Template, nested: Map<string, number>, execution: Execution, text: string, data: Value): string {
  // Most texts that values hold are plain; a set of their own would only cost time.
  if (!text.includes('{{')) return text.replaceAll('<no value>', '');
  const own = set.clone();
  bindSet(own, nested);
  let template: Template;
  try {
    template = own.new(set.name).parse(text);
  } catch (error) {
    throw wrapped(`cannot parse template ${goQuote(text)}`, error);
  }
  try {
    return template.executeIn(execution, data).replaceAll('<no value>', '');
  } catch (error) {
    throw wrapped(`error during tpl function execution for ${goQuote(text)}`, error);
  }
}

const goQuote = (text: string): string => sprintf('%q', [text]);

/** An error with words before it; what is no error of a template (a limit) passes as it is. */
function wrapped(words: string, error: unknown): unknown {
  if (!(error instanceof GoError) && !(error instanceof ParseError)) return error;
  const message = `${words}: ${error.message}`;
  return new GoError(message, { cause: new Error(message, { cause: error.cause ?? error }) });
}
