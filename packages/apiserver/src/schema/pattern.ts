/**
 * Patterns are RE2, as in Kubernetes, and matched by an engine without backtracking: time grows with the text and the
 * pattern, whatever a user writes.
 */
import { RE2JS } from 're2js';

export type Pattern =
  | { readonly valid: true; test(text: string): boolean }
  /** `reason` as Go words it: "error parsing regexp: missing closing ]: `[`". */
  | { readonly valid: false; readonly reason: string };

export function compilePattern(source: string): Pattern {
  try {
    const compiled = RE2JS.compile(source);
    return { valid: true, test: text => compiled.test(text) };
  } catch (error) {
    return { valid: false, reason: (error as Error).message };
  }
}
