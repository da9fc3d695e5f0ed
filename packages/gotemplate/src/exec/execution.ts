/** The state of one run of a template. */

import { ExecError } from '../errors.ts';
import type { Budget } from '../limits.ts';
import type { Node } from '../parse/nodes.ts';
import { errorContext } from '../parse/tree.ts';
import { quote } from '../text/quote.ts';
import type { GoFunc } from '../value/function.ts';
import type { Value } from '../value/values.ts';
import type { Compiled } from './compile.ts';

/** What an absent map key gives: nothing, the zero of the element type, or an error. */
export type MissingKey = 'default' | 'zero' | 'error';

/** The templates that belong together, as an execution sees them. */
export interface Surroundings {
  readonly missingKey: MissingKey;
  lookup(name: string): Compiled | undefined;
  function(name: string): GoFunc | undefined;
}

interface Variable {
  readonly name: string;
  value: Value;
  /** Its static type is the empty interface (variables of a range over anything), which error messages tell. */
  isInterface: boolean;
}

export class Execution {
  readonly surroundings: Surroundings;
  readonly budget: Budget;
  output = '';
  /** Where we are, for error messages: kept at exactly the points where Go keeps it. */
  node: Node | undefined;
  /** The template we are in. */
  templateName: string;
  /** The static type of dot is the empty interface: inside a range over anything. */
  dotIsInterface = false;
  variables: Variable[] = [];

  constructor(surroundings: Surroundings, budget: Budget, templateName: string) {
    this.surroundings = surroundings;
    this.budget = budget;
    this.templateName = templateName;
  }

  /** Runs a template of the set to its end, from a function such as `include`, and returns what it wrote. */
  run(template: Compiled, data: Value): string {
    const nested = new Execution(this.surroundings, this.budget, template.name);
    return nested.start(template, data);
  }

  start(template: Compiled, data: Value): string {
    this.enter(template, data);
    return this.output;
  }

  /** Runs a template in this execution; it sees none of our variables. */
  enter(template: Compiled, data: Value): void {
    const { variables, templateName, dotIsInterface, budget } = this;
    if (budget.depth >= budget.limits.depth) this.fail(`exceeded maximum template depth (${budget.limits.depth})`);
    budget.depth++;
    this.templateName = template.name;
    this.dotIsInterface = false;
    this.variables = [{ name: '$', value: data, isInterface: false }];
    template.body(this, data);
    budget.depth--;
    this.variables = variables;
    this.templateName = templateName;
    this.dotIsInterface = dotIsInterface;
  }

  write(text: string): void {
    this.output += text;
    this.budget.checkOutput(this.output.length);
  }

  fail(message: string, cause?: unknown): never {
    const options = cause === undefined ? undefined : { cause };
    if (!this.node) throw new ExecError(this.templateName, `template: ${this.templateName}: ${message}`, options);
    const { location, context } = errorContext(this.node);
    const where = `template: ${location}: executing ${quote(this.templateName)} at <${context}>`;
    throw new ExecError(this.templateName, `${where}: ${message}`, options);
  }

  push(name: string, value: Value): void {
    this.variables.push({ name, value, isInterface: false });
  }

  /** The variable declared last under the name. */
  variable(name: string): Variable {
    const { variables } = this;
    for (let index = variables.length - 1; index >= 0; index--) {
      const variable = variables[index]!;
      if (variable.name === name) return variable;
    }
    return this.fail(`undefined variable: ${name}`);
  }
}
