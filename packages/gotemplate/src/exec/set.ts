import { builtins } from '../builtin/index.ts';
import { isEmptyTree, type Tree } from '../parse/tree.ts';
import type { FuncMap, GoFunc } from '../value/function.ts';
import { type Compiled, compile } from './compile.ts';
import type { MissingKey, Surroundings } from './execution.ts';

/** What associated templates share: names, functions, options. */
export class TemplateSet implements Surroundings {
  missingKey: MissingKey = 'default';
  readonly #templates: Map<string, Compiled>;
  readonly #functions: Map<string, GoFunc>;

  constructor(
    templates: Iterable<readonly [string, Compiled]> = [],
    functions: Iterable<readonly [string, GoFunc]> = Object.entries(builtins),
  ) {
    this.#templates = new Map(templates);
    this.#functions = new Map(functions);
  }

  lookup(name: string): Compiled | undefined {
    return this.#templates.get(name);
  }

  function(name: string): GoFunc | undefined {
    return this.#functions.get(name);
  }

  names(): string[] {
    return [...this.#templates.keys()];
  }

  addFunctions(functions: FuncMap): void {
    for (const [name, body] of Object.entries(functions)) this.#functions.set(name, body);
  }

  /** Adds a tree under a name, unless it is nothing but space and would replace a template that is there. */
  add(name: string, tree: Tree): Compiled | undefined {
    if (this.#templates.has(name) && isEmptyTree(tree)) return undefined;
    const compiled = compile(name, tree);
    this.#templates.set(name, compiled);
    return compiled;
  }

  copy(): TemplateSet {
    const copy = new TemplateSet(this.#templates, this.#functions);
    copy.missingKey = this.missingKey;
    return copy;
  }
}
