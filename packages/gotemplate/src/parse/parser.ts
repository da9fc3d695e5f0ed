/**
 * Template text to parse trees, one for the text itself and one for each `define` and `block` in it. The grammar and its error
 * messages are Go's; so is the look-ahead of three tokens, because the line in a message is that of the last token read.
 */

import { GoError, LimitError, ParseError } from '../errors.ts';
import { quote, unquote } from '../text/quote.ts';
import { Lexer } from './lexer.ts';
import { Lookahead } from './lookahead.ts';
import type * as nodes from './nodes.ts';
import { isEmpty, nodeText } from './nodes.ts';
import { numberConstant } from './number.ts';
import { describe, type Token, type TokenType } from './token.ts';
import type { Tree } from './tree.ts';

/** Go's own bound on nested parentheses. */
const maxParentheses = 10_000;

export interface ParseOptions {
  readonly left?: string | undefined;
  readonly right?: string | undefined;
  readonly hasFunction: (name: string) => boolean;
}

/** Parses a text; the first tree to be added under a name that is not empty is the one that counts. */
export function parseTrees(name: string, text: string, options: ParseOptions): Map<string, Tree> {
  const trees = new Map<string, Tree>();
  const lexer = new Lexer(text, {
    left: options.left || '{{',
    right: options.right || '}}',
    breakIsKeyword: !options.hasFunction('break'),
    continueIsKeyword: !options.hasFunction('continue'),
  });
  try {
    new TreeParser(name, name, text, lexer, trees, options.hasFunction).parseFile();
  } catch (error) {
    if (error instanceof RangeError) throw new LimitError('nesting', `template: ${name}: nested too deeply to parse`);
    throw error;
  }
  return trees;
}

type ControlContext = 'if' | 'range' | 'with';

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

class TreeParser {
  readonly #tree: { name: string; parseName: string; text: string; root: nodes.ListNode };
  readonly #lexer: Lexer;
  readonly #tokens: Lookahead;
  readonly #trees: Map<string, Tree>;
  readonly #hasFunction: (name: string) => boolean;
  #variables = ['$'];
  #actionLine = 0;
  #rangeDepth = 0;
  #parentheses = 0;

  constructor(
    name: string,
    parseName: string,
    text: string,
    lexer: Lexer,
    trees: Map<string, Tree>,
    hasFunction: (name: string) => boolean,
  ) {
    this.#tree = { name, parseName, text, root: undefined as unknown as nodes.ListNode };
    this.#tree.root = this.#list(0);
    this.#lexer = lexer;
    this.#tokens = new Lookahead(lexer);
    this.#trees = trees;
    this.#hasFunction = hasFunction;
  }

  #child(name: string): TreeParser {
    const { parseName, text } = this.#tree;
    return new TreeParser(name, parseName, text, this.#lexer, this.#trees, this.#hasFunction);
  }

  #list(position: number): nodes.ListNode {
    return { type: 'list', position, tree: this.#tree, nodes: [] };
  }

  // Errors.

  #fail(message: string): never {
    throw new ParseError(`template: ${this.#tree.parseName}:${this.#tokens.line}: ${message}`);
  }

  #orFail<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof GoError) this.#fail(error.message);
      throw error;
    }
  }

  #expect(type: TokenType, context: string): Token {
    const token = this.#tokens.nextNonSpace();
    if (token.type !== type) this.#unexpected(token, context);
    return token;
  }

  #unexpected(token: Token, context: string): never {
    if (token.type !== 'error') this.#fail(`unexpected ${describe(token)} in ${context}`);
    let extra = '';
    if (this.#actionLine !== 0 && this.#actionLine !== token.line) {
      const where = ` started at ${this.#tree.parseName}:${this.#actionLine}`;
      extra = token.value.endsWith(' action') ? where : ` in action${where}`;
    }
    this.#fail(token.value + extra);
  }

  // Grammar.

  parseFile(): void {
    this.#tree.root = this.#list(this.#tokens.peek().position);
    while (this.#tokens.peek().type !== 'eof') {
      if (this.#tokens.peek().type === 'leftDelim') {
        const delimiter = this.#tokens.next();
        if (this.#tokens.nextNonSpace().type === 'define') {
          this.#child('definition').#definition();
          continue;
        }
        this.#tokens.backup2(delimiter);
      }
      const node = this.#textOrAction();
      if (node.type === 'end' || node.type === 'else') this.#fail(`unexpected ${nodeText(node)}`);
      this.#tree.root.nodes.push(node);
    }
    this.#add();
  }

  #add(): void {
    const existing = this.#trees.get(this.#tree.name);
    if (!existing || isEmpty(existing.root)) this.#trees.set(this.#tree.name, this.#tree);
    else if (!isEmpty(this.#tree.root)) {
      this.#fail(`template: multiple definition of template ${quote(this.#tree.name)}`);
    }
  }

  #definition(): void {
    const context = 'define clause';
    const name = this.#tokens.nextNonSpace();
    if (name.type !== 'string' && name.type !== 'rawString') this.#unexpected(name, context);
    this.#tree.name = this.#orFail(() => unquote(name.value));
    this.#expect('rightDelim', context);
    this.#body(context, this);
  }

  #body(context: string, reporter: TreeParser): void {
    const { list, end } = this.#itemList();
    this.#tree.root = list;
    if (end.type !== 'end') reporter.#fail(`unexpected ${nodeText(end)} in ${context}`);
    this.#add();
  }

  /** Nodes up to the `end` or `else` that closes them. */
  #itemList(): { list: nodes.ListNode; end: nodes.EndNode } {
    const list = this.#list(this.#tokens.peekNonSpace().position);
    while (this.#tokens.peekNonSpace().type !== 'eof') {
      const node = this.#textOrAction();
      if (node.type === 'end' || node.type === 'else') return { list, end: node };
      list.nodes.push(node);
    }
    this.#fail('unexpected EOF');
  }

  #textOrAction(): nodes.Node {
    const token = this.#tokens.nextNonSpace();
    if (token.type === 'text') {
      return { type: 'text', position: token.position, tree: this.#tree, text: token.value };
    }
    if (token.type !== 'leftDelim') this.#unexpected(token, 'input');
    this.#actionLine = token.line;
    const node = this.#action();
    this.#actionLine = 0;
    return node;
  }

  #action(): nodes.Node {
    const token = this.#tokens.nextNonSpace();
    switch (token.type) {
      case 'block':
        return this.#block();
      case 'break':
      case 'continue':
        return this.#jump(token.type, token.position);
      case 'else':
        return this.#else();
      case 'end':
        return { type: 'end', position: this.#expect('rightDelim', 'end').position, tree: this.#tree };
      case 'if':
      case 'range':
      case 'with':
        return this.#control(token.type);
      case 'template':
        return this.#template();
    }
    this.#tokens.backup();
    const { position } = this.#tokens.peek();
    return { type: 'action', position, tree: this.#tree, pipe: this.#pipeline('command', 'rightDelim') };
  }

  #jump(type: 'break' | 'continue', position: number): nodes.Node {
    const token = this.#tokens.nextNonSpace();
    if (token.type !== 'rightDelim') this.#unexpected(token, `{{${type}}}`);
    if (this.#rangeDepth === 0) this.#fail(`{{${type}}} outside {{range}}`);
    return { type, position, tree: this.#tree };
  }

  #else(): nodes.EndNode {
    const peeked = this.#tokens.peekNonSpace();
    // "else if" and "else with" leave their second word for the control that follows.
    const token = peeked.type === 'if' || peeked.type === 'with' ? peeked : this.#expect('rightDelim', 'else');
    return { type: 'else', position: token.position, tree: this.#tree };
  }

  #control(context: ControlContext): nodes.BranchNode {
    const scope = this.#variables.length;
    const pipe = this.#pipeline(context, 'rightDelim');
    if (context === 'range') this.#rangeDepth++;
    const { list, end } = this.#itemList();
    if (context === 'range') this.#rangeDepth--;
    const elseList = end.type === 'else' ? this.#elseList(context, end) : undefined;
    this.#variables.length = scope;
    return { type: context, position: pipe.position, tree: this.#tree, pipe, list, elseList };
  }

  #elseList(context: ControlContext, start: nodes.EndNode): nodes.ListNode {
    if ((context === 'if' || context === 'with') && this.#tokens.peek().type === context) {
      this.#tokens.next();
      const list = this.#list(start.position);
      list.nodes.push(this.#control(context));
      return list;
    }
    const { list, end } = this.#itemList();
    if (end.type !== 'end') this.#fail(`expected end; found ${nodeText(end)}`);
    return list;
  }

  #block(): nodes.Node {
    const context = 'block clause';
    const token = this.#tokens.nextNonSpace();
    const name = this.#templateName(token, context);
    const pipe = this.#pipeline(context, 'rightDelim');
    this.#child(name).#body(context, this);
    return { type: 'template', position: token.position, tree: this.#tree, name, pipe };
  }

  #template(): nodes.Node {
    const context = 'template clause';
    const token = this.#tokens.nextNonSpace();
    const name = this.#templateName(token, context);
    let pipe: nodes.PipeNode | undefined;
    if (this.#tokens.nextNonSpace().type !== 'rightDelim') {
      this.#tokens.backup();
      pipe = this.#pipeline(context, 'rightDelim');
    }
    return { type: 'template', position: token.position, tree: this.#tree, name, pipe };
  }

  #templateName(token: Token, context: string): string {
    if (token.type !== 'string' && token.type !== 'rawString') this.#unexpected(token, context);
    return this.#orFail(() => unquote(token.value));
  }

  #pipeline(context: string, end: TokenType): nodes.PipeNode {
    const pipe: nodes.PipeNode = {
      type: 'pipe',
      position: this.#tokens.peekNonSpace().position,
      tree: this.#tree,
      isAssign: false,
      declarations: [],
      commands: [],
    };
    this.#declarations(pipe, context);
    for (;;) {
      const token = this.#tokens.nextNonSpace();
      if (token.type === end) {
        this.#checkPipeline(pipe, context);
        return pipe;
      }
      if (!startsOperand.has(token.type)) this.#unexpected(token, context);
      this.#tokens.backup();
      pipe.commands.push(this.#command());
    }
  }

  #declarations(pipe: nodes.PipeNode, context: string): void {
    while (this.#tokens.peekNonSpace().type === 'variable') {
      const variable = this.#tokens.next();
      // In "$x foo" only "foo" tells that $x is an argument: remember the token between, to give all three back.
      const afterVariable = this.#tokens.peek();
      const next = this.#tokens.peekNonSpace();
      const declares = next.type === 'assign' || next.type === 'declare';
      if (!declares && !(next.type === 'char' && next.value === ',')) {
        if (afterVariable.type === 'space') this.#tokens.backup3(variable, afterVariable);
        else this.#tokens.backup2(variable);
        return;
      }
      if (declares) pipe.isAssign = next.type === 'assign';
      this.#tokens.nextNonSpace();
      pipe.declarations.push(this.#variable(variable.position, variable.value));
      this.#variables.push(variable.value);
      if (declares) return;
      if (context !== 'range' || pipe.declarations.length >= 2) this.#fail(`too many declarations in ${context}`);
      const following = this.#tokens.peekNonSpace().type;
      if (following !== 'variable' && following !== 'rightDelim' && following !== 'rightParen') {
        this.#fail('range can only initialize variables');
      }
    }
  }

  #checkPipeline(pipe: nodes.PipeNode, context: string): void {
    if (pipe.commands.length === 0) this.#fail(`missing value for ${context}`);
    for (const [index, command] of pipe.commands.entries()) {
      if (index > 0 && /^(bool|dot|nil|number|string)$/.test(command.args[0]!.type)) {
        this.#fail(`non executable command in pipeline stage ${index + 1}`);
      }
    }
  }

  #command(): nodes.CommandNode {
    const command: nodes.CommandNode = {
      type: 'command',
      position: this.#tokens.peekNonSpace().position,
      tree: this.#tree,
      args: [],
    };
    for (;;) {
      this.#tokens.peekNonSpace();
      const operand = this.#operand();
      if (operand) command.args.push(operand);
      const token = this.#tokens.next();
      if (token.type === 'space') continue;
      if (token.type === 'rightDelim' || token.type === 'rightParen') this.#tokens.backup();
      else if (token.type !== 'pipe') this.#unexpected(token, 'operand');
      break;
    }
    if (command.args.length === 0) this.#fail('empty command');
    return command;
  }

  #operand(): nodes.Node | undefined {
    const node = this.#term();
    if (!node || this.#tokens.peek().type !== 'field') return node;
    const chain: nodes.ChainNode = {
      type: 'chain',
      position: this.#tokens.peek().position,
      tree: this.#tree,
      node,
      path: [],
    };
    while (this.#tokens.peek().type === 'field') chain.path.push(this.#tokens.next().value.slice(1));
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
        return this.#fail(`unexpected . after term ${quote(nodeText(node))}`);
    }
    return chain;
  }

  #term(): nodes.Node | undefined {
    const token = this.#tokens.nextNonSpace();
    const at = { position: token.position, tree: this.#tree };
    switch (token.type) {
      case 'identifier':
        if (!this.#hasFunction(token.value)) this.#fail(`function ${quote(token.value)} not defined`);
        return { type: 'identifier', ...at, name: token.value };
      case 'dot':
        return { type: 'dot', ...at };
      case 'nil':
        return { type: 'nil', ...at };
      case 'variable':
        if (!this.#variables.includes(token.value)) this.#fail(`undefined variable ${quote(token.value)}`);
        return this.#variable(token.position, token.value);
      case 'field':
        return { type: 'field', ...at, path: [token.value.slice(1)] };
      case 'bool':
        return { type: 'bool', ...at, value: token.value === 'true' };
      case 'charConstant':
      case 'complex':
      case 'number':
        return { type: 'number', ...at, number: this.#orFail(() => numberConstant(token.value, token.type)) };
      case 'leftParen': {
        if (this.#parentheses >= maxParentheses) this.#fail('max expression depth exceeded');
        this.#parentheses++;
        const pipe = this.#pipeline('parenthesized pipeline', 'rightParen');
        this.#parentheses--;
        return pipe;
      }
      case 'string':
      case 'rawString':
        return { type: 'string', ...at, quoted: token.value, value: this.#orFail(() => unquote(token.value)) };
    }
    this.#tokens.backup();
    return undefined;
  }

  #variable(position: number, name: string): nodes.VariableNode {
    return { type: 'variable', position, tree: this.#tree, path: [name] };
  }
}
