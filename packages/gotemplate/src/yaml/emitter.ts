/** The layout of emitted YAML: libyaml's emitter, as far as block style goes. */

import { isBreak } from './characters.ts';
import { analyze, isPrintable, isSimpleKey, type ScalarStyle } from './scalar-style.ts';

/** What is emitted: scalars already have their text and the style their type wants. */
export type Emitted =
  | {
      readonly kind: 'scalar';
      readonly text: string;
      readonly style: 'plain' | 'double' | 'literal';
      readonly tag?: string;
    }
  | { readonly kind: 'sequence'; readonly items: readonly Emitted[] }
  | { readonly kind: 'mapping'; readonly entries: readonly (readonly [Emitted, Emitted])[] };

export interface Layout {
  /** Longer lines are broken at a space. */
  readonly width: number;
  /** Lists under a key are set in. go-yaml v2 does not, v3 does. */
  readonly indentSequences: boolean;
  /** Tabs may stand in block scalars. go-yaml v2 says no, v3 yes. */
  readonly tabsInBlocks: boolean;
}

/** Where a node stands, which decides how a list under it is set in. */
type Place = 'root' | 'sequence' | 'value' | 'key' | 'complexKey';

const indentStep = 2;
/** Columns count characters, of which one in two surrogates is half. */
const surrogate = /[\ud800-\udfff]/;

export function emit(node: Emitted, layout: Layout): string {
  const emitter = new Emitter(layout);
  emitter.node(node, 'root');
  return emitter.finish();
}

class Emitter {
  readonly #layout: Layout;
  #out = '';
  #column = 0;
  #indent = -1;
  /** The last character was a space or nothing. */
  #whitespace = true;
  /** There is nothing but indentation and indicators on this line. */
  #indention = true;

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  finish(): string {
    this.#writeIndent();
    return this.#out;
  }

  node(node: Emitted, place: Place) {
    switch (node.kind) {
      case 'scalar':
        return this.#scalar(node.text, node.style, node.tag, place);
      case 'sequence':
        return this.#sequence(node.items, place);
      case 'mapping':
        return this.#mapping(node.entries);
    }
  }

  #put(text: string): void {
    this.#out += text;
    if (!surrogate.test(text)) this.#column += text.length;
    else for (const _ of text) this.#column++;
  }

  #putBreak(): void {
    this.#out += '\n';
    this.#column = 0;
  }

  #writeIndent(): void {
    const indent = Math.max(0, this.#indent);
    if (!this.#indention || this.#column > indent || (this.#column === indent && !this.#whitespace)) this.#putBreak();
    if (this.#column < indent) this.#put(' '.repeat(indent - this.#column));
    this.#whitespace = true;
    this.#indention = true;
  }

  #indicator(text: string, needsSpace: boolean, isIndention = false): void {
    if (needsSpace && !this.#whitespace) this.#put(' ');
    this.#put(text);
    this.#whitespace = false;
    this.#indention = this.#indention && isIndention;
  }

  #indented(isFlow: boolean, indentless: boolean, write: () => void): void {
    const outer = this.#indent;
    if (outer < 0) this.#indent = isFlow ? indentStep : 0;
    else if (!indentless) this.#indent = outer + indentStep;
    write();
    this.#indent = outer;
  }

  #sequence(items: readonly Emitted[], place: Place) {
    if (items.length === 0) return this.#indicator('[]', true);
    const inMapping = place === 'value' || place === 'complexKey';
    const indentless = !this.#layout.indentSequences && inMapping && !this.#indention;
    this.#indented(false, indentless, () => {
      for (const item of items) {
        this.#writeIndent();
        this.#indicator('-', true, true);
        this.node(item, 'sequence');
      }
    });
  }

  #mapping(entries: readonly (readonly [Emitted, Emitted])[]) {
    if (entries.length === 0) return this.#indicator('{}', true);
    this.#indented(false, false, () => {
      for (const [key, value] of entries) {
        this.#writeIndent();
        if (key.kind === 'scalar' && isSimpleKey(key.text, analyze(key.text))) {
          this.node(key, 'key');
          this.#indicator(':', false);
        } else {
          this.#indicator('?', true, true);
          this.node(key, 'complexKey');
          this.#writeIndent();
          this.#indicator(':', true, true);
        }
        this.node(value, 'value');
      }
    });
  }

  #scalar(text: string, wanted: ScalarStyle, tag: string | undefined, place: Place): void {
    const isKey = place === 'key';
    const style = chooseStyle(text, wanted, isKey, this.#layout.tabsInBlocks);
    if (tag !== undefined) {
      if (!this.#whitespace) this.#put(' ');
      this.#put(tag);
      this.#whitespace = false;
      this.#indention = false;
    }
    this.#indented(true, false, () => {
      switch (style) {
        case 'plain':
          return this.#plain(text, !isKey);
        case 'single':
          return this.#single(text, !isKey);
        case 'double':
          return this.#double(text, !isKey);
        case 'literal':
          return this.#literal(text);
      }
    });
  }

  /** Writes text that may be broken at single spaces once the line is full. */
  #flowing(text: string, mayBreak: boolean, character: (text: string) => void, edges: boolean): void {
    const characters = [...text];
    let [afterSpace, afterBreak] = [false, false];
    for (const [index, current] of characters.entries()) {
      if (current === ' ') {
        const inside = edges || (index > 0 && index < characters.length - 1);
        const full = this.#column > this.#layout.width;
        if (mayBreak && !afterSpace && full && inside && characters[index + 1] !== ' ') this.#writeIndent();
        else this.#put(' ');
        afterSpace = true;
      } else if (isBreak(current.charCodeAt(0))) {
        if (!afterBreak && current === '\n') this.#putBreak();
        this.#writeBreak(current);
        this.#indention = true;
        afterBreak = true;
      } else {
        if (afterBreak) this.#writeIndent();
        character(current);
        this.#indention = false;
        [afterSpace, afterBreak] = [false, false];
      }
    }
  }

  #writeBreak(character: string): void {
    if (character === '\n') this.#putBreak();
    else {
      this.#put(character);
      this.#column = 0;
    }
  }

  #plain(text: string, mayBreak: boolean): void {
    if (!this.#whitespace) this.#put(' ');
    if (this.#column + text.length <= this.#layout.width && !text.includes('\n')) this.#put(text);
    else this.#flowing(text, mayBreak, character => this.#put(character), true);
    this.#whitespace = false;
    this.#indention = false;
  }

  #single(text: string, mayBreak: boolean): void {
    this.#indicator("'", true);
    this.#flowing(text, mayBreak, character => this.#put(character === "'" ? "''" : character), false);
    this.#indicator("'", false);
    this.#whitespace = false;
    this.#indention = false;
  }

  #double(text: string, mayBreak: boolean): void {
    this.#indicator('"', true);
    const characters = [...text];
    let afterSpace = false;
    for (const [index, character] of characters.entries()) {
      const code = character.codePointAt(0)!;
      if (!isPrintable(code) || isBreak(code) || character === '"' || character === '\\') {
        this.#put(escapeCharacter(code));
        afterSpace = false;
      } else if (character === ' ') {
        const inside = index > 0 && index < characters.length - 1;
        if (mayBreak && !afterSpace && this.#column > this.#layout.width && inside) {
          this.#writeIndent();
          if (characters[index + 1] === ' ') this.#put('\\');
        } else this.#put(' ');
        afterSpace = true;
      } else {
        this.#put(character);
        afterSpace = false;
      }
    }
    this.#indicator('"', false);
    this.#whitespace = false;
    this.#indention = false;
  }

  #literal(text: string): void {
    this.#indicator('|', true);
    if (/^[ \n\r\u0085\u2028\u2029]/.test(text)) this.#indicator(String(indentStep), false);
    const hint = chompingHint(text);
    if (hint) this.#indicator(hint, false);
    this.#putBreak();
    this.#indention = true;
    this.#whitespace = true;
    let afterBreak = true;
    for (const line of text.split(/(?<=[\n\r\u0085\u2028\u2029])/)) {
      const last = line.at(-1)!;
      const hasBreak = last !== undefined && isBreak(last.charCodeAt(0));
      const content = hasBreak ? line.slice(0, -1) : line;
      if (content !== '') {
        if (afterBreak) this.#writeIndent();
        this.#put(content);
        this.#indention = false;
        afterBreak = false;
      }
      if (hasBreak) {
        this.#writeBreak(last);
        this.#indention = true;
        afterBreak = true;
      }
    }
  }
}

/** How many of the breaks at the end count: none, one (no hint), or all. */
function chompingHint(text: string): string {
  const breaks = /[\n\r\u0085\u2028\u2029]/;
  const last = text.at(-1)!;
  if (!breaks.test(last)) return '-';
  const before = text.at(-2);
  return before === undefined || breaks.test(before) ? '+' : '';
}

function chooseStyle(text: string, wanted: ScalarStyle, isKey: boolean, tabsInBlocks: boolean): ScalarStyle {
  const analysis = analyze(text, tabsInBlocks);
  let style = wanted;
  if (isKey && analysis.multiline) style = 'double';
  if (style === 'plain' && (!analysis.plainAllowed || (text === '' && isKey))) style = 'single';
  if (style === 'single' && !analysis.singleAllowed) style = 'double';
  if (style === 'literal' && (!analysis.blockAllowed || isKey)) style = 'double';
  return style;
}

const namedEscapes: Record<number, string> = {
  0: '0',
  7: 'a',
  8: 'b',
  9: 't',
  10: 'n',
  11: 'v',
  12: 'f',
  13: 'r',
  27: 'e',
  34: '"',
  92: '\\',
  133: 'N',
  160: '_',
  8232: 'L',
  8233: 'P',
};

function escapeCharacter(code: number): string {
  const named = namedEscapes[code];
  if (named) return `\\${named}`;
  const digits = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${digits.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`;
}
