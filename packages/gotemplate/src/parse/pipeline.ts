/** Pipelines and what they are made of: declarations, commands, operands. */

import { GoError, ParseError } from '../errors.ts';
import { quote, unquote } from '../text/quote.ts';
import type { Lexer } from './lexer.ts';
import { Lookahead } from './lookahead.ts';
import type * as nodes from './nodes.ts';
import { nodeText } from './nodes.ts';
import { numberConstant } from './number.ts';
import { describe, type Token, type TokenType } from './token.ts';

/** Go's own bound on nested parentheses. */
const maxParentheses = 10_000;

/** A tree whose name and root are known only once it has been read. */
interface GrowingTree {
  name: string;
  readonly parseName: string;
  readonly text: string;
  root: nodes.ListNode;
}

const startsOperand = new Set<TokenType>([
  'bool',
  'charConstant',
  'complex',
  'dot',
  'field',
  'identifier',
  'number',
  'nil',
  'rawString',
  'string',
  'variable',
  'leftParen',
]);

/** Reads pipelines of one tree; the parser of trees builds on it. */
export class PipelineParser {
  protected readonly tree: GrowingTree;
  protected readonly tokens: Lookahead;
  /** The variables in scope. */
  protected variables = ['$'];
  /** Where the action we are in began, for errors that show only lines later. */
  protected actionLine = 0;
  readonly #hasFunction: (name: string) => boolean;
  #parentheses = 0;

  constructor(name: string, parseName: string, text: string, lexer: Lexer, hasFunction: (name: string) => boolean) {
    this.tree = { name, parseName, text, root: undefined as unknown as nodes.ListNode };
    this.tree.root = this.list(0);
    this.tokens = new Lookahead(lexer);
    this.#hasFunction = hasFunction;
  }

  protected list(position: number): nodes.ListNode {
    return { type: 'list', position, tree: this.tree, nodes: [] };
  }

  protected fail(message: string): never {
    throw new ParseError(`template: ${this.tree.parseName}:${this.tokens.line}: ${message}`);
  }

  protected orFail<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof GoError) this.fail(error.message);
      throw error;
    }
  }

  protected expect(type: TokenType, context: string): Token {
    const token = this.tokens.nextNonSpace();
    if (token.type !== type) this.unexpected(token, context);
    return token;
  }

  protected unexpected(token: Token, context: string): never {
    if (token.type !== 'error') this.fail(`unexpected ${describe(token)} in ${context}`);
    let extra = '';
    if (this.actionLine !== 0 && this.actionLine !== token.line) {
      const where = ` started at ${this.tree.parseName}:${this.actionLine}`;
      extra = token.value.endsWith(' action') ? where : ` in action${where}`;
    }
    this.fail(token.value + extra);
  }

  protected pipeline(context: string, end: TokenType): nodes.PipeNode {
    const pipe: nodes.PipeNode = {
      type: 'pipe',
      position: this.tokens.peekNonSpace().position,
      tree: this.tree,
      isAssign: false,
      declarations: [],
      commands: [],
    };
    this.#declarations(pipe, context);
    for (;;) {
      const token = this.tokens.nextNonSpace();
      if (token.type === end) {
        this.#checkPipeline(pipe, context);
        return pipe;
      }
      if (!startsOperand.has(token.type)) this.unexpected(token, context);
      this.tokens.backup();
      pipe.commands.push(this.#command());
    }
  }

  #declarations(pipe: nodes.PipeNode, context: string): void {
    while (this.tokens.peekNonSpace().type === 'variable') {
      const variable = this.tokens.next();
      // In "$x foo" only "foo" tells that $x is an argument: remember the token between, to give all three back.
      const afterVariable = this.tokens.peek();
      const next = this.tokens.peekNonSpace();
      const declares = next.type === 'assign' || next.type === 'declare';
      if (!declares && !(next.type === 'char' && next.value === ',')) {
        if (afterVariable.type === 'space') this.tokens.backup3(variable, afterVariable);
        else this.tokens.backup2(variable);
        return;
      }
      if (declares) pipe.isAssign = next.type === 'assign';
      this.tokens.nextNonSpace();
      pipe.declarations.push(this.#variable(variable.position, variable.value));
      this.variables.push(variable.value);
      if (declares) return;
      if (context !== 'range' || pipe.declarations.length >= 2) this.fail(`too many declarations in ${context}`);
      const following = this.tokens.peekNonSpace().type;
      if (following !== 'variable' && following !== 'rightDelim' && following !== 'rightParen') {
        this.fail('range can only initialize variables');
      }
    }
  }

  #checkPipeline(pipe: nodes.PipeNode, context: string): void {
    if (pipe.commands.length === 0) this.fail(`missing value for ${context}`);
    for (const [index, command] of pipe.commands.entries()) {
      if (index > 0 && /^(bool|dot|nil|number|string)$/.test(command.args[0]!.type)) {
        this.fail(`non executable command in pipeline stage ${index + 1}`);
      }
    }
  }

  #command(): nodes.CommandNode {
    const command: nodes.CommandNode = {
      type: 'command',
      position: this.tokens.peekNonSpace().position,
      tree: this.tree,
      args: [],
    };
    for (;;) {
      this.tokens.peekNonSpace();
      const operand = this.#operand();
      if (operand) command.args.push(operand);
      const token = this.tokens.next();
      if (token.type === 'space') continue;
      if (token.type === 'rightDelim' || token.type === 'rightParen') this.tokens.backup();
      else if (token.type !== 'pipe') this.unexpected(token, 'operand');
      break;
    }
    if (command.args.length === 0) this.fail('empty command');
    return command;
  }

  #operand(): nodes.Node | undefined {
    const node = this.#term();
    if (!node || this.tokens.peek().type !== 'field') return node;
    const chain: nodes.ChainNode = {
      type: 'chain',
      position: this.tokens.peek().position,
      tree: this.tree,
      node,
      path: [],
    };
    while (this.tokens.peek().type === 'field') chain.path.push(this.tokens.next().value.slice(1));
    switch (node.type) {
      case 'field':
        return { ...node, position: chain.position, path: [...node.path, ...chain.path] };
      case 'variable':
        return { ...node, position: chain.position, path: [...node.path, ...chain.path] };
      case 'bool':
      case 'string':
      case 'number':
      case 'nil':
      case 'dot':
        return this.fail(`unexpected . after term ${quote(nodeText(node))}`);
    }
    return chain;
  }

  #term(): nodes.Node | undefined {
    const token = this.tokens.nextNonSpace();
    const at = { position: token.position, tree: this.tree };
    switch (token.type) {
      case 'identifier':
        if (!this.#hasFunction(token.value)) this.fail(`function ${quote(token.value)} not defined`);
        return { type: 'identifier', ...at, name: token.value };
      case 'dot':
        return { type: 'dot', ...at };
      case 'nil':
        return { type: 'nil', ...at };
      case 'variable':
        if (!this.variables.includes(token.value)) this.fail(`undefined variable ${quote(token.value)}`);
        return this.#variable(token.position, token.value);
      case 'field':
        return { type: 'field', ...at, path: [token.value.slice(1)] };
      case 'bool':
        return { type: 'bool', ...at, value: token.value === 'true' };
      case 'charConstant':
      case 'complex':
      case 'number':
        return { type: 'number', ...at, number: this.orFail(() => numberConstant(token.value, token.type)) };
      case 'leftParen': {
        if (this.#parentheses >= maxParentheses) this.fail('max expression depth exceeded');
        this.#parentheses++;
        const pipe = this.pipeline('parenthesized pipeline', 'rightParen');
        this.#parentheses--;
        return pipe;
      }
      case 'string':
      case 'rawString':
        return { type: 'string', ...at, quoted: token.value, value: this.orFail(() => unquote(token.value)) };
    }
    this.tokens.backup();
    return undefined;
  }

  #variable(position: number, name: string): nodes.VariableNode {
    return { type: 'variable', position, tree: this.tree, path: [name] };
  }
}
