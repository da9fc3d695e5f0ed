/** The text of an expression, and the words for a place in it. */
export class Source {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /**
   * An error as Kubernetes prints it:
   *
   *     ERROR: <input>:1:6: undefined field 'foo'
   *      | self.foo
   *      | .....^
   */
  describe(offset: number, message: string): string {
    const lineStart = this.text.lastIndexOf('\n', offset - 1) + 1;
    const nextBreak = this.text.indexOf('\n', offset);
    const line = this.text.slice(lineStart, nextBreak < 0 ? undefined : nextBreak);
    const before = [...this.text.slice(lineStart, offset)];
    const lineNumber = countBreaks(this.text, lineStart) + 1;
    const head = `ERROR: <input>:${lineNumber}:${before.length + 1}: ${message}`;
    if (line.length > LONGEST_SNIPPET) return head;
    const marked = String.fromCodePoint(this.text.codePointAt(offset) ?? 0x20);
    return `${head}\n | ${line.replaceAll('\t', ' ')}\n | ${before.map(dotFor).join('')}${isWide(marked) ? '＾' : '^'}`;
  }
}

/** A longer line says nothing to a reader and would be repeated for every error in it. */
const LONGEST_SNIPPET = 16_384;

const isWide = (character: string): boolean => character.codePointAt(0)! > 0x7f;
const dotFor = (character: string): string => (isWide(character) ? '．' : '.');

function countBreaks(text: string, end: number): number {
  let breaks = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) breaks++;
  return breaks;
}
