/** The parse tree, and how Go writes each node back as text (which is what error messages quote). */

import { quote } from '../text/quote.ts';
import type { NumberConstant } from './number.ts';
import type { Tree } from './tree.ts';

interface Base {
  /** Offset in the text of {@link Base.tree}. */
  readonly position: number;
  readonly tree: Tree;
}

export interface TextNode extends Base {
  readonly type: 'text';
  readonly text: string;
}
export interface ListNode extends Base {
  readonly type: 'list';
  readonly nodes: Node[];
}
export interface ActionNode extends Base {
  readonly type: 'action';
  readonly pipe: PipeNode;
}
export interface PipeNode extends Base {
  readonly type: 'pipe';
  isAssign: boolean;
  readonly declarations: VariableNode[];
  readonly commands: CommandNode[];
}
export interface CommandNode extends Base {
  readonly type: 'command';
  readonly args: Node[];
}
export interface IdentifierNode extends Base {
  readonly type: 'identifier';
  readonly name: string;
}
export interface VariableNode extends Base {
  readonly type: 'variable';
  /** The name with its dollar sign, then fields. */
  readonly path: readonly string[];
}
export interface FieldNode extends Base {
  readonly type: 'field';
  readonly path: readonly string[];
}
export interface ChainNode extends Base {
  readonly type: 'chain';
  readonly node: Node;
  readonly path: string[];
}
export interface DotNode extends Base {
  readonly type: 'dot';
}
export interface NilNode extends Base {
  readonly type: 'nil';
}
export interface BoolNode extends Base {
  readonly type: 'bool';
  readonly value: boolean;
}
export interface NumberNode extends Base {
  readonly type: 'number';
  readonly number: NumberConstant;
}
export interface StringNode extends Base {
  readonly type: 'string';
  readonly quoted: string;
  readonly value: string;
}
export interface BranchNode extends Base {
  readonly type: 'if' | 'with' | 'range';
  readonly pipe: PipeNode;
  readonly list: ListNode;
  readonly elseList: ListNode | undefined;
}
export interface TemplateNode extends Base {
  readonly type: 'template';
  readonly name: string;
  readonly pipe: PipeNode | undefined;
}
export interface JumpNode extends Base {
  readonly type: 'break' | 'continue';
}
/** Ends a list; never part of a finished tree. */
export interface EndNode extends Base {
  readonly type: 'end' | 'else';
}

export type Node =
  | TextNode
  | ListNode
  | ActionNode
  | PipeNode
  | CommandNode
  | IdentifierNode
  | VariableNode
  | FieldNode
  | ChainNode
  | DotNode
  | NilNode
  | BoolNode
  | NumberNode
  | StringNode
  | BranchNode
  | TemplateNode
  | JumpNode
  | EndNode;

/** The node as template text. */
export function nodeText(node: Node): string {
  switch (node.type) {
    case 'text':
      return node.text;
    case 'list':
      return node.nodes.map(nodeText).join('');
    case 'action':
      return `{{${nodeText(node.pipe)}}}`;
    case 'pipe':
      return pipeText(node);
    case 'command':
      return node.args.map(operandText).join(' ');
    case 'identifier':
      return node.name;
    case 'variable':
      return node.path.join('.');
    case 'field':
      return node.path.map(name => `.${name}`).join('');
    case 'chain':
      return operandText(node.node) + node.path.map(name => `.${name}`).join('');
    case 'dot':
      return '.';
    case 'nil':
      return 'nil';
    case 'bool':
      return String(node.value);
    case 'number':
      return node.number.text;
    case 'string':
      return node.quoted;
    case 'if':
    case 'with':
    case 'range':
      return branchText(node);
    case 'template':
      return `{{template ${quote(node.name)}${node.pipe ? ` ${nodeText(node.pipe)}` : ''}}}`;
    case 'break':
    case 'continue':
    case 'end':
    case 'else':
      return `{{${node.type}}}`;
  }
}

function operandText(node: Node): string {
  return node.type === 'pipe' ? `(${pipeText(node)})` : nodeText(node);
}

function pipeText(node: PipeNode): string {
  const commands = node.commands.map(nodeText).join(' | ');
  if (node.declarations.length === 0) return commands;
  return `${node.declarations.map(nodeText).join(', ')} ${node.isAssign ? '=' : ':='} ${commands}`;
}

function branchText(node: BranchNode): string {
  const otherwise = node.elseList ? `{{else}}${nodeText(node.elseList)}` : '';
  return `{{${node.type} ${nodeText(node.pipe)}}}${nodeText(node.list)}${otherwise}{{end}}`;
}

/** Whether there is nothing but space in the list (comments are not in the tree). */
export function isEmpty(node: Node): boolean {
  if (node.type === 'list') return node.nodes.every(isEmpty);
  return node.type === 'text' && node.text.trim() === '';
}
