/** JSON text looked at byte by byte: how deep it is, which keys come twice, which number is too large. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The deepest nesting and the number of keys, without building anything. Of broken JSON, a number of some sort. */
export function surveyJson(bytes: Uint8Array): { readonly depth: number; readonly keys: number } {
  let depth = 0;
  let deepest = 0;
  let keys = 0;
  for (let i = 0; i < bytes.length; i++) {
    switch (bytes[i]) {
      case QUOTE:
        for (i++; i < bytes.length && bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++;
        break;
      case 0x7b: // {
      case 0x5b: // [
        if (++depth > deepest) deepest = depth;
        break;
      case 0x7d: // }
      case 0x5d: // ]
        depth--;
        break;
      case 0x3a: // :
        keys++;
        break;
    }
  }
  return { depth: deepest, keys };
}

interface Frame {
  readonly path: string;
  readonly keys: Set<string> | undefined;
  /** Of the field or item being read. */
  key: string;
  index: number;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/gs;

/** `duplicate field "spec.replicas"`, once a key, in the order of the document. The text is valid JSON. */
export function findDuplicates(text: string): string[] {
  const found = new Set<string>();
  const stack: Frame[] = [];
  let expectsKey = false;
  const enter = (keys: Set<string> | undefined) => {
    const parent = stack.at(-1);
    stack.push({ path: parent === undefined ? '' : pathIn(parent), keys, key: '', index: 0 });
    expectsKey = keys !== undefined;
  };
  for (const [token] of text.matchAll(TOKEN)) {
    const frame = stack.at(-1);
    if (token === '{') enter(new Set());
    else if (token === '[') enter(undefined);
    else if (token === '}' || token === ']') {
      stack.pop();
      expectsKey = false;
    } else if (token === ',') {
      if (frame?.keys === undefined && frame !== undefined) frame.index++;
      expectsKey = frame?.keys !== undefined;
    } else if (token !== ':' && expectsKey && frame?.keys !== undefined) {
      frame.key = JSON.parse(token) as string;
      if (frame.keys.has(frame.key)) found.add(`duplicate field "${pathIn(frame)}"`);
      frame.keys.add(frame.key);
      expectsKey = false;
    }
  }
  return [...found];
}

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gs;

/** The first number that is beyond all numbers, as it is written: `1e400`. The text is valid JSON and has one. */
export function findOverflow(text: string): string {
  for (const [token] of text.matchAll(STRING_OR_NUMBER)) {
    if (token[0] !== '"' && !Number.isFinite(Number(token))) return token;
  }
  return '';
}

function pathIn(frame: Frame): string {
  if (frame.keys === undefined) return `${frame.path}[${frame.index}]`;
  return frame.path === '' ? frame.key : `${frame.path}.${frame.key}`;
}
