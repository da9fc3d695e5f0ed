import { byteLength } from '../text/bytes.ts';
import { isEmpty, type ListNode, type Node, nodeText } from './nodes.ts';

/** One parsed template: the text of a file, or a `define` or `block` inside it. */
export interface Tree {
  readonly name: string;
  /** The name of the file it was parsed from, which error messages give. */
  readonly parseName: string;
  readonly text: string;
  readonly root: ListNode;
}

/** Whether the tree holds nothing but space; such a tree never replaces another. */
export function isEmptyTree(tree: Tree): boolean {
  return isEmpty(tree.root);
}

/** Where a node stands (`name:line:column`, the column in bytes) and what it says. */
export function errorContext(node: Node): { location: string; context: string } {
  const { tree, position } = node;
  const before = tree.text.slice(0, position);
  const lineStart = before.lastIndexOf('\n') + 1;
  const line = before.split('\n').length;
  const column = byteLength(before.slice(lineStart));
  return { location: `${tree.parseName}:${line}:${column}`, context: nodeText(node) };
}
