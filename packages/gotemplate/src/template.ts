/**
 * Templates and the sets they belong to, as Go's `template.Template`: templates made from one another by {@link Template.new}
 * share their names, functions and options.
 */

import { ExecError, LimitError } from './errors.ts';
import { asFunctionError } from './exec/call.ts';
import { type Compiled, compile } from './exec/compile.ts';
import { Execution, type MissingKey } from './exec/execution.ts';
import { TemplateSet } from './exec/set.ts';
import { Budget, defaultLimits, type Limits, withBudget } from './limits.ts';
import { cachedTrees } from './parse/cache.ts';
import { normalize } from './text/bytes.ts';
import { quote } from './text/quote.ts';
import type { FuncMap } from './value/function.ts';
import { fromHost, type HostValue } from './value/host.ts';
import type { Value } from './value/values.ts';

export interface TemplateOptions {
  /** More functions than the built-in ones; see {@link Template.functions}. */
  readonly functions?: FuncMap;
  /** What `{{ .absent }}` gives; Helm uses `zero`. Default: `default`, which prints `<no value>`. */
  readonly missingKey?: MissingKey;
  /** The left and right delimiter. Default: `{{` and `}}`. */
  readonly delimiters?: readonly [left: string, right: string];
}

export interface ExecuteOptions {
  /** Bounds for this execution; what is not given is taken from `defaultLimits`. */
  readonly limits?: Partial<Limits>;
  /** Bounds shared with other executions, in place of `limits`: all files of a chart together may use this much. */
  readonly budget?: Budget;
}

/**
 * ```ts
 * const greeting = new Template('greeting', { functions: sprig() }).parse('Hello {{ .name | upper }}!');
 * greeting.execute({ name: 'world' }); // Hello WORLD!
 * ```
 */
export class Template {
  readonly name: string;
  readonly #set: TemplateSet;
  /** What this template itself was given to parse; the set may hold something else under its name by now. */
  #own: Compiled | undefined;
  #delimiters: readonly [string, string];

  /** The last two parameters are for {@link Template.new}, {@link Template.clone} and {@link Template.lookup}. */
  constructor(name: string, options: TemplateOptions = {}, set: TemplateSet = new TemplateSet(), own?: Compiled) {
    this.name = name;
    this.#set = set;
    this.#own = own;
    this.#delimiters = options.delimiters ?? ['', ''];
    if (options.functions) set.addFunctions(options.functions);
    if (options.missingKey) set.missingKey = options.missingKey;
  }

  /** A template of the same set, with nothing in it yet. */
  new(name: string): Template {
    return new Template(name, { delimiters: this.#delimiters }, this.#set);
  }

  /** The same templates in a set of their own: what is added to one is not seen by the other. */
  clone(): Template {
    return new Template(this.name, { delimiters: this.#delimiters }, this.#set.copy(), this.#own);
  }

  /** Adds functions, which win over built-in ones. A function must be there before a text that names it is parsed. */
  functions(functions: FuncMap): this {
    this.#set.addFunctions(functions);
    return this;
  }

  missingKey(action: MissingKey): this {
    this.#set.missingKey = action;
    return this;
  }

  /** Sets the delimiters for the texts parsed from now on; an empty one is the default. */
  delimiters(left: string, right: string): this {
    this.#delimiters = [left, right];
    return this;
  }

  /**
   * Parses a text as this template; its `define`s and `block`s become templates of the set. Throws a ParseError.
   * Trees are cached by content: parsing the same text again costs a lookup.
   */
  parse(text: string): this {
    const [left, right] = this.#delimiters;
    const hasFunction = (name: string) => this.#set.function(name) !== undefined;
    for (const [name, tree] of cachedTrees(this.name, text, { left, right, hasFunction })) {
      const added = this.#set.add(name, tree);
      if (name === this.name) this.#own = added ?? this.#own ?? compile(name, tree);
    }
    return this;
  }

  /** The template of the set with this name. */
  lookup(name: string): Template | undefined {
    const compiled = this.#set.lookup(name);
    return compiled && new Template(name, { delimiters: this.#delimiters }, this.#set, compiled);
  }

  /** The names of all templates of the set. */
  templates(): string[] {
    return this.#set.names();
  }

  /** Runs the template. Throws an ExecError with Go's message, or a LimitError. */
  execute(data: HostValue, options: ExecuteOptions = {}): string {
    const budget = options.budget ?? new Budget({ ...defaultLimits, ...options.limits });
    return withBudget(budget, () => this.#start(fromHost(data), budget));
  }

  /** Runs another template of the set. */
  executeTemplate(name: string, data: HostValue, options: ExecuteOptions = {}): string {
    const template = this.lookup(name);
    if (!template) {
      throw new ExecError(
        this.name,
        `template: no template ${quote(name)} associated with template ${quote(this.name)}`,
      );
    }
    return template.execute(data, options);
  }

  /**
   * Runs a template of this set from inside a function of a running template (`include`, `tpl`), on what is left of its limits.
   * Failures come out as the error of that function.
   */
  include(execution: Execution, name: string, data: Value): string {
    const template = this.lookup(name);
    try {
      if (!template) {
        throw new ExecError(
          this.name,
          `template: no template ${quote(name)} associated with template ${quote(this.name)}`,
        );
      }
      return template.#start(data, execution.budget);
    } catch (error) {
      throw asFunctionError(error);
    }
  }

  /** As {@link Template.include}, for this template itself: Helm's `tpl` parses a text and runs it. */
  executeIn(execution: Execution, data: Value): string {
    try {
      return this.#start(data, execution.budget);
    } catch (error) {
      throw asFunctionError(error);
    }
  }

  #start(data: Value, budget: Budget): string {
    const execution = new Execution(this.#set, budget, this.name);
    if (!this.#own) return execution.fail(`${quote(this.name)} is an incomplete or empty template`);
    const depth = budget.depth;
    try {
      execution.enter(this.#own, data);
      return normalize(execution.output);
    } catch (error) {
      if (error instanceof RangeError) throw asLimit(error);
      throw error;
    } finally {
      budget.depth = depth;
    }
  }
}

/** JavaScript's own limits, in our words. */
function asLimit(error: RangeError): LimitError {
  if (/call stack/.test(error.message)) {
    return new LimitError(
      'depth',
      'template nested too deeply: templates, data or lists within lists exhausted the stack',
    );
  }
  return new LimitError('memory', `template produced a value that is too large: ${error.message}`);
}
