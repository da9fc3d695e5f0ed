/**
 * Template text to parse trees, one for the text itself and one for each `define` and `block` in it. The grammar and its error
 * messages are Go's; so is the look-ahead of three tokens, because the line in a message is that of the last token read.
 */

import { LimitError } from '../errors.ts';
import { quote, unquote } from '../text/quote.ts';
import { Lexer } from './lexer.ts';
import type * as nodes from './nodes.ts';
import { isEmpty, nodeText } from './nodes.ts';
import { PipelineParser } from './pipeline.ts';
import type { Token } from './token.ts';
import type { Tree } from './tree.ts';

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

class TreeParser extends PipelineParser {
  readonly #lexer: Lexer;
  readonly #trees: Map<string, Tree>;
  readonly #hasFunction: (name: string) => boolean;
  #rangeDepth = 0;

  constructor(
    name: string,
    parseName: string,
    text: string,
    lexer: Lexer,
    trees: Map<string, Tree>,
    hasFunction: (name: string) => boolean,
  ) {
    super(name, parseName, text, lexer, hasFunction);
    this.#lexer = lexer;
    this.#trees = trees;
    this.#hasFunction = hasFunction;
  }

  #child(name: string): TreeParser {
    const { parseName, text } = this.tree;
    return new TreeParser(name, parseName, text, this.#lexer, this.#trees, this.#hasFunction);
  }

  parseFile(): void {
    this.tree.root = this.list(this.tokens.peek().position);
    while (this.tokens.peek().type !== 'eof') {
      if (this.tokens.peek().type === 'leftDelim') {
        const delimiter = this.tokens.next();
        if (this.tokens.nextNonSpace().type === 'define') {
          this.#child('definition').#definition();
          continue;
        }
        this.tokens.backup2(delimiter);
      }
      const node = this.#textOrAction();
      if (node.type === 'end' || node.type === 'else') this.fail(`unexpected ${nodeText(node)}`);
      this.tree.root.nodes.push(node);
    }
    this.#add();
  }

  #add(): void {
    const existing = this.#trees.get(this.tree.name);
    if (!existing || isEmpty(existing.root)) this.#trees.set(this.tree.name, this.tree);
    else if (!isEmpty(this.tree.root)) {
      this.fail(`template: multiple definition of template ${quote(this.tree.name)}`);
    }
  }

  #definition(): void {
    const context = 'define clause';
    const name = this.tokens.nextNonSpace();
    if (name.type !== 'string' && name.type !== 'rawString') this.unexpected(name, context);
    this.tree.name = this.orFail(() => unquote(name.value));
    this.expect('rightDelim', context);
    this.#body(context, this);
  }

  #body(context: string, reporter: TreeParser): void {
    const { list, end } = this.#itemList();
    this.tree.root = list;
    if (end.type !== 'end') reporter.fail(`unexpected ${nodeText(end)} in ${context}`);
    this.#add();
  }

  /** Nodes up to the `end` or `else` that closes them. */
  #itemList(): { list: nodes.ListNode; end: nodes.EndNode } {
    const list = this.list(this.tokens.peekNonSpace().position);
    while (this.tokens.peekNonSpace().type !== 'eof') {
      const node = this.#textOrAction();
      if (node.type === 'end' || node.type === 'else') return { list, end: node };
      list.nodes.push(node);
    }
    this.fail('unexpected EOF');
  }

  #textOrAction(): nodes.Node {
    const token = this.tokens.nextNonSpace();
    if (token.type === 'text') {
      return { type: 'text', position: token.position, tree: this.tree, text: token.value };
    }
    if (token.type !== 'leftDelim') this.unexpected(token, 'input');
    this.actionLine = token.line;
    const node = this.#action();
    this.actionLine = 0;
    return node;
  }

  #action(): nodes.Node {
    const token = this.tokens.nextNonSpace();
    switch (token.type) {
      case 'block':
        return this.#block();
      case 'break':
      case 'continue':
        return this.#jump(token.type, token.position);
      case 'else':
        return this.#else();
      case 'end':
        return { type: 'end', position: this.expect('rightDelim', 'end').position, tree: this.tree };
      case 'if':
      case 'range':
      case 'with':
        return this.#control(token.type);
      case 'template':
        return this.#template();
    }
    this.tokens.backup();
    const { position } = this.tokens.peek();
    return { type: 'action', position, tree: this.tree, pipe: this.pipeline('command', 'rightDelim') };
  }

  #jump(type: 'break' | 'continue', position: number): nodes.Node {
    const token = this.tokens.nextNonSpace();
    if (token.type !== 'rightDelim') this.unexpected(token, `{{${type}}}`);
    if (this.#rangeDepth === 0) this.fail(`{{${type}}} outside {{range}}`);
    return { type, position, tree: this.tree };
  }

  #else(): nodes.EndNode {
    const peeked = this.tokens.peekNonSpace();
    // "else if" and "else with" leave their second word for the control that follows.
    const token = peeked.type === 'if' || peeked.type === 'with' ? peeked : this.expect('rightDelim', 'else');
    return { type: 'else', position: token.position, tree: this.tree };
  }

  #control(context: ControlContext): nodes.BranchNode {
    const scope = this.variables.length;
    const pipe = this.pipeline(context, 'rightDelim');
    if (context === 'range') this.#rangeDepth++;
    const { list, end } = this.#itemList();
    if (context === 'range') this.#rangeDepth--;
    const elseList = end.type === 'else' ? this.#elseList(context, end) : undefined;
    this.variables.length = scope;
    return { type: context, position: pipe.position, tree: this.tree, pipe, list, elseList };
  }

  #elseList(context: ControlContext, start: nodes.EndNode): nodes.ListNode {
    if ((context === 'if' || context === 'with') && this.tokens.peek().type === context) {
      this.tokens.next();
      const list = this.list(start.position);
      list.nodes.push(this.#control(context));
      return list;
    }
    const { list, end } = this.#itemList();
    if (end.type !== 'end') this.fail(`expected end; found ${nodeText(end)}`);
    return list;
  }

  #block(): nodes.Node {
    const context = 'block clause';
    const token = this.tokens.nextNonSpace();
    const name = this.#templateName(token, context);
    const pipe = this.pipeline(context, 'rightDelim');
    this.#child(name).#body(context, this);
    return { type: 'template', position: token.position, tree: this.tree, name, pipe };
  }

  #template(): nodes.Node {
    const context = 'template clause';
    const token = this.tokens.nextNonSpace();
    const name = this.#templateName(token, context);
    let pipe: nodes.PipeNode | undefined;
    if (this.tokens.nextNonSpace().type !== 'rightDelim') {
      this.tokens.backup();
      pipe = this.pipeline(context, 'rightDelim');
    }
    return { type: 'template', position: token.position, tree: this.tree, name, pipe };
  }

  #templateName(token: Token, context: string): string {
    if (token.type !== 'string' && token.type !== 'rawString') this.unexpected(token, context);
    return this.orFail(() => unquote(token.value));
  }
}
