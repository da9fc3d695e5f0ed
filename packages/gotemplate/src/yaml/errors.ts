import { GoError } from '../errors.ts';

/** Where something is in a document; lines and columns count from zero. */
export interface Mark {
  readonly index: number;
  readonly line: number;
  readonly column: number;
}

/** go-yaml's error with its line, which its scanner and its parser count differently. */
export function yamlError(problem: string, from: 'scanner' | 'parser', at: Mark, context?: Mark): GoError {
  let line = 0;
  if (at.line !== 0) line = from === 'scanner' ? at.line + 1 : at.line;
  else if (context) line = context.line;
  return new GoError(`yaml: ${line === 0 ? '' : `line ${line}: `}${problem}`);
}
