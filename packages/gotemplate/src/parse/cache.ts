/**
 * Parse trees by the text they came from. A tree depends on the name, the text, the delimiters and on which of the functions it
 * names exist, so a hit is checked against the last of these. Helm's `tpl` renders the same strings over and over.
 */

import { type ParseOptions, parseTrees } from './parser.ts';
import type { Tree } from './tree.ts';

/** Bounds the characters of text held, not the entries: a set of large charts is a few megabytes. */
const maxCharacters = 32 * 1024 * 1024;

interface Entry {
  readonly trees: ReadonlyMap<string, Tree>;
  readonly asked: ReadonlyMap<string, boolean>;
  readonly size: number;
}

const entries = new Map<string, Entry>();
let characters = 0;

/** As {@link parseTrees}, remembering. */
export function cachedTrees(name: string, text: string, options: ParseOptions): ReadonlyMap<string, Tree> {
  const key = JSON.stringify([options.left, options.right, name]) + text;
  const hit = entries.get(key);
  if (hit && isValid(hit, options)) {
    entries.delete(key);
    entries.set(key, hit); // most recently used last
    return hit.trees;
  }
  const asked = new Map<string, boolean>();
  const hasFunction = (word: string) => {
    const answer = options.hasFunction(word);
    asked.set(word, answer);
    return answer;
  };
  const trees = parseTrees(name, text, { ...options, hasFunction });
  remember(key, { trees, asked, size: key.length });
  return trees;
}

function isValid(entry: Entry, options: ParseOptions): boolean {
  for (const [word, answer] of entry.asked) if (options.hasFunction(word) !== answer) return false;
  return true;
}

function remember(key: string, entry: Entry): void {
  characters += entry.size - (entries.get(key)?.size ?? 0);
  entries.set(key, entry);
  for (const [oldest, { size }] of entries) {
    if (characters <= maxCharacters) break;
    entries.delete(oldest);
    characters -= size;
  }
}
