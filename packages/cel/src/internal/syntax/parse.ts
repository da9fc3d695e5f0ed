import { Environment } from '@marcbachmann/cel-js';
import { MAX_EXPRESSION_LENGTH, MAX_NESTING } from '../../limits.ts';
import type { Expr } from './expr.ts';
import { SyntaxIssue } from './issue.ts';
import { lower, type SyntaxNode } from './lower.ts';

/** The grammar comes from cel-js. Its limits are set to what Kubernetes allows, and {@link lower} counts nesting again. */
const grammar = new Environment({
  enableOptionalTypes: true,
  unlistedVariablesAreDyn: true,
  limits: {
    maxAstNodes: MAX_EXPRESSION_LENGTH,
    maxDepth: MAX_NESTING,
    maxListElements: MAX_EXPRESSION_LENGTH,
    maxMapEntries: MAX_EXPRESSION_LENGTH,
    maxCallArguments: 32,
  },
});

/**
 * Text to tree, macros expanded.
 *
 * @throws {SyntaxIssue} for text that is no CEL expression.
 */
export function parse(text: string): Expr {
  if (text.length > MAX_EXPRESSION_LENGTH) {
    const message = `expression code point size exceeds limit: size: ${text.length}, limit ${MAX_EXPRESSION_LENGTH}`;
    throw new SyntaxIssue(0, message);
  }
  return lower(syntaxTree(text), text);
}

function syntaxTree(text: string): SyntaxNode {
  try {
    return grammar.parse(text).ast as unknown as SyntaxNode;
  } catch (error) {
    if (error instanceof RangeError) {
      // The grammar recurses without a limit of its own over prefix operators: `!!!!…`.
      throw new SyntaxIssue(0, `expression recursion limit exceeded: ${MAX_NESTING}`);
    }
    if (isGrammarError(error)) throw new SyntaxIssue(error.range?.start ?? 0, wordsFor(error, text));
    throw error;
  }
}

/** What may start an operand; Kubernetes recites it whenever an expression ends too early. */
const OPERAND_STARTS =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

/** The grammar's complaint in the words Kubernetes has for the common ones. */
function wordsFor(error: GrammarError, text: string): string {
  const at = error.range?.start ?? 0;
  switch (error.code) {
    case 'invalid_macro_argument':
      return /^(?:map|filter)\(/.test(error.summary)
        ? 'argument is not an identifier'
        : 'argument must be a simple name';
    case 'reserved_identifier':
      return error.summary.replace('Reserved', 'reserved');
    case 'unexpected_token':
      if (at < text.length) break;
      return `Syntax error: mismatched input '<EOF>' expecting ${OPERAND_STARTS}`;
    case 'unexpected_character': {
      const isAfterEnd = /: '.'$/.test(error.summary);
      const [token = ''] = /^(?:\w+|.)/su.exec(text.slice(at)) ?? [];
      return `Syntax error: ${isAfterEnd ? `extraneous input '${token}' expecting <EOF>` : `token recognition error at: '${token}'`}`;
    }
  }
  return `Syntax error: ${error.summary}`;
}

interface GrammarError {
  readonly code: string;
  readonly summary: string;
  readonly range?: { readonly start: number };
}

function isGrammarError(error: unknown): error is GrammarError {
  return error instanceof Error && 'summary' in error && 'code' in error && typeof error.summary === 'string';
}
