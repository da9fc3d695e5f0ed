/** Tokens to a tree of nodes: the first document of a text, with its anchors resolved. */

import { GoError } from '../errors.ts';
import { isValidUtf8 } from '../text/bytes.ts';
import { forbidden } from './characters.ts';
import { type Mark, yamlError } from './errors.ts';
import { Scanner, type Token, type TokenType } from './scanner.ts';

interface Base {
  readonly line: number;
  /** In the long form (`tag:yaml.org,2002:str`); empty where there is none. */
  readonly tag: string;
}
export interface ScalarNode extends Base {
  readonly kind: 'scalar';
  readonly value: string;
  /** Its type may be read from its text. */
  readonly isImplicit: boolean;
}
export interface SequenceNode extends Base {
  readonly kind: 'sequence';
  readonly items: Node[];
}
export interface MappingNode extends Base {
  readonly kind: 'mapping';
  readonly entries: [Node, Node][];
}
export interface AliasNode extends Base {
  readonly kind: 'alias';
  readonly name: string;
  readonly target: Node;
}
export type Node = ScalarNode | SequenceNode | MappingNode | AliasNode;

const coreTags = 'tag:yaml.org,2002:';

/** The root of the first document, or nothing where there is no document. */
export function compose(text: string): Node | undefined {
  if (!isValidUtf8(text)) throw new GoError('yaml: invalid leading UTF-8 octet');
  if (forbidden.test(text)) throw new GoError('yaml: control characters are not allowed');
  try {
    return new Composer(text).document();
  } catch (error) {
    if (error instanceof RangeError) throw new GoError('yaml: exceeded max depth of 10000');
    throw error;
  }
}

interface Properties {
  readonly start: Mark;
  readonly anchor: string | undefined;
  readonly tag: string;
}

class Composer {
  readonly #scanner: Scanner;
  readonly #anchors = new Map<string, Node>();
  readonly #handles = new Map<string, string>();

  constructor(text: string) {
    this.#scanner = new Scanner(text);
  }

  #next(): Token {
    return this.#scanner.peek();
  }

  #is(first: TokenType, second?: TokenType, third?: TokenType, fourth?: TokenType, fifth?: TokenType): boolean {
    const { type } = this.#next();
    return type === first || type === second || type === third || type === fourth || type === fifth;
  }

  document(): Node | undefined {
    const first = this.#next();
    if (first.type === 'streamEnd') return undefined;
    const explicit = this.#is('versionDirective', 'tagDirective', 'documentStart');
    this.#directives();
    if (explicit) {
      if (!this.#is('documentStart'))
        throw yamlError('did not find expected <document start>', 'parser', this.#next().start);
      this.#scanner.take();
    }
    const isEmpty =
      explicit && this.#is('versionDirective', 'tagDirective', 'documentStart', 'documentEnd', 'streamEnd');
    const root = isEmpty ? this.#empty(this.#next().start) : this.#node(true, false);
    // go-yaml looks at what follows before it is done, so that an error there counts.
    this.#next();
    return root;
  }

  #directives(): void {
    let hasVersion = false;
    while (this.#is('versionDirective', 'tagDirective')) {
      const token = this.#scanner.take();
      if (token.type === 'versionDirective') {
        if (hasVersion) throw yamlError('found duplicate %YAML directive', 'parser', token.start);
        if (token.value !== '1.1') throw yamlError('found incompatible YAML document', 'parser', token.start);
        hasVersion = true;
      } else {
        if (this.#handles.has(token.value)) throw yamlError('found duplicate %TAG directive', 'parser', token.start);
        this.#handles.set(token.value, token.suffix!);
      }
      this.#next();
    }
    if (!this.#handles.has('!')) this.#handles.set('!', '!');
    if (!this.#handles.has('!!')) this.#handles.set('!!', coreTags);
  }

  #empty(mark: Mark): ScalarNode {
    return { kind: 'scalar', line: mark.line, tag: '', value: '', isImplicit: true };
  }

  #register<N extends Node>(anchor: string | undefined, node: N): N {
    if (anchor !== undefined) this.#anchors.set(anchor, node);
    return node;
  }

  #node(block: boolean, indentless: boolean): Node {
    const next = this.#next();
    if (next.type === 'scalar') return this.#scalar({ line: next.start.line, tag: '' });
    if (next.type === 'alias') return this.#alias();
    const properties = this.#properties();
    const token = this.#next();
    const { anchor, tag, start } = properties;
    const base = { line: start.line, tag };
    switch (token.type) {
      case 'blockEntry':
        if (indentless) return this.#indentless(this.#register(anchor, { kind: 'sequence', ...base, items: [] }));
        break;
      case 'scalar':
        return this.#register(anchor, this.#scalar(base));
      case 'flowSequenceStart':
        return this.#flowSequence(this.#register(anchor, { kind: 'sequence', ...base, items: [] }));
      case 'flowMappingStart':
        return this.#flowMapping(this.#register(anchor, { kind: 'mapping', ...base, entries: [] }));
      case 'blockSequenceStart':
        if (block) return this.#blockSequence(this.#register(anchor, { kind: 'sequence', ...base, items: [] }));
        break;
      case 'blockMappingStart':
        if (block) return this.#blockMapping(this.#register(anchor, { kind: 'mapping', ...base, entries: [] }));
        break;
    }
    if (anchor !== undefined || tag !== '') {
      return this.#register(anchor, { kind: 'scalar', ...base, value: '', isImplicit: tag === '' });
    }
    throw yamlError('did not find expected node content', 'parser', token.start, start);
  }

  #scalar({ line, tag }: Base): ScalarNode {
    const { value, isPlain } = this.#scanner.take();
    return { kind: 'scalar', line, tag, value, isImplicit: (tag === '' && isPlain === true) || tag === '!' };
  }

  #alias(): AliasNode {
    const token = this.#scanner.take();
    const target = this.#anchors.get(token.value);
    if (!target) throw new GoError(`yaml: unknown anchor '${token.value}' referenced`);
    return { kind: 'alias', line: token.start.line, tag: '', name: token.value, target };
  }

  /** An anchor and a tag, in either order. */
  #properties(): Properties {
    const { start } = this.#next();
    let anchor: string | undefined;
    let tag: Token | undefined;
    if (this.#is('anchor')) {
      anchor = this.#scanner.take().value;
      if (this.#is('tag')) tag = this.#scanner.take();
    } else if (this.#is('tag')) {
      tag = this.#scanner.take();
      if (this.#is('anchor')) anchor = this.#scanner.take().value;
    }
    this.#next();
    return { start, anchor, tag: tag ? this.#resolveTag(tag, start) : '' };
  }

  #resolveTag(token: Token, start: Mark): string {
    if (token.value === '') return token.suffix!;
    const prefix = this.#handles.get(token.value);
    if (prefix === undefined) throw yamlError('found undefined tag handle', 'parser', token.start, start);
    return prefix + token.suffix!;
  }

  #blockSequence(node: SequenceNode): Node {
    const { start } = this.#scanner.take();
    while (this.#is('blockEntry')) {
      const { end } = this.#scanner.take();
      node.items.push(this.#is('blockEntry', 'blockEnd') ? this.#empty(end) : this.#node(true, false));
    }
    if (!this.#is('blockEnd'))
      throw yamlError("did not find expected '-' indicator", 'parser', this.#next().start, start);
    this.#scanner.take();
    return node;
  }

  #indentless(node: SequenceNode): Node {
    while (this.#is('blockEntry')) {
      const { end } = this.#scanner.take();
      const isEmpty = this.#is('blockEntry', 'key', 'value', 'blockEnd');
      node.items.push(isEmpty ? this.#empty(end) : this.#node(true, false));
    }
    return node;
  }

  #blockMapping(node: MappingNode): Node {
    const { start } = this.#scanner.take();
    for (;;) {
      if (this.#is('blockEnd')) {
        this.#scanner.take();
        return node;
      }
      // A value without a key (": x") has an empty one only in a flow; in a block its key is missing.
      if (!this.#is('key')) throw yamlError('did not find expected key', 'parser', this.#next().start, start);
      const key = this.#blockPart();
      const value = this.#is('value') ? this.#blockPart() : this.#empty(this.#next().start);
      node.entries.push([key, value]);
    }
  }

  /** What follows a `key` or `value` token. */
  #blockPart(): Node {
    const { end } = this.#scanner.take();
    return this.#is('key', 'value', 'blockEnd') ? this.#empty(end) : this.#node(true, true);
  }

  #flowSequence(node: SequenceNode): Node {
    const { start } = this.#scanner.take();
    for (let first = true; !this.#is('flowSequenceEnd'); first = false) {
      if (!first) {
        if (!this.#is('flowEntry'))
          throw yamlError("did not find expected ',' or ']'", 'parser', this.#next().start, start);
        this.#scanner.take();
      }
      if (this.#is('key')) node.items.push(this.#flowPair());
      else if (!this.#is('flowSequenceEnd')) node.items.push(this.#node(false, false));
      else break;
    }
    this.#scanner.take();
    return node;
  }

  /** `[a: b]` is a list of one mapping. */
  #flowPair(): MappingNode {
    const { start } = this.#scanner.take();
    const node: MappingNode = { kind: 'mapping', line: start.line, tag: '', entries: [] };
    // Where the key is missing, go-yaml drops the token that stands there.
    const isEmpty = this.#is('value', 'flowEntry', 'flowSequenceEnd');
    const key = isEmpty ? this.#empty(this.#scanner.take().end) : this.#node(false, false);
    node.entries.push([key, this.#flowValue('flowSequenceEnd')]);
    return node;
  }

  #flowValue(end: 'flowSequenceEnd' | 'flowMappingEnd'): Node {
    if (this.#is('value')) {
      this.#scanner.take();
      if (!this.#is('flowEntry', end)) return this.#node(false, false);
    }
    return this.#empty(this.#next().start);
  }

  #flowMapping(node: MappingNode): Node {
    const { start } = this.#scanner.take();
    for (let first = true; !this.#is('flowMappingEnd'); first = false) {
      if (!first) {
        if (!this.#is('flowEntry'))
          throw yamlError("did not find expected ',' or '}'", 'parser', this.#next().start, start);
        this.#scanner.take();
      }
      if (this.#is('key')) {
        this.#scanner.take();
        const isEmpty = this.#is('value', 'flowEntry', 'flowMappingEnd');
        const key = isEmpty ? this.#empty(this.#next().start) : this.#node(false, false);
        node.entries.push([key, this.#flowValue('flowMappingEnd')]);
      } else if (!this.#is('flowMappingEnd')) {
        const key = this.#node(false, false);
        node.entries.push([key, this.#empty(this.#next().start)]);
      } else break;
    }
    this.#scanner.take();
    return node;
  }
}
