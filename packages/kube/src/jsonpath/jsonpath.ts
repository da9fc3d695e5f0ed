/**
 * JSONPath as kubectl speaks it: `{.items[*].metadata.name}`, `{range .items[*]}{.kind}{"\n"}{end}`. Printer columns of
 * custom kinds and waiting conditions are written in it.
 */
import { byCodePoint } from '../selectors/requirement.ts';
import { evaluateTemplate, type MissingFields } from './evaluate.ts';
import { JsonPathError } from './nodes.ts';
import { parseTemplate } from './parser.ts';

export interface JsonPath {
  /** What the template finds: one list for each piece of it. */
  find(value: unknown, missing?: MissingFields): unknown[][];
  /** As kubectl prints it: values of a piece with spaces between them, objects and lists as JSON. */
  print(value: unknown, missing?: MissingFields): string;
}

/**
 * Reads a template. Without braces it is text and finds itself; see `jsonPathExpression` for a bare path.
 *
 * @param missing given to `find` and `print`: whether a field that is not there is an error. kubectl allows it.
 */
export function parseJsonPath(template: string): JsonPath {
  const pieces = parseTemplate(template);
  return Object.freeze({
    find: (value: unknown, missing: MissingFields = 'allow') => evaluateTemplate(pieces, value, missing),
    print: (value: unknown, missing: MissingFields = 'allow') =>
      evaluateTemplate(pieces, value, missing)
        .map(found => found.map(printed).join(' '))
        .join(''),
  });
}

/** Turns what users write for one path into a template: `a.b`, `.a.b` and `{a.b}` all become `{.a.b}`. */
export function jsonPathExpression(path: string): string {
  if (path === '') return '';
  const found = /^\{\.?([^{}]+)\}$|^\.?([^{}]+)$/.exec(path);
  if (found === null) {
    throw new JsonPathError(
      "unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'",
    );
  }
  return `{.${found[1] ?? found[2]}}`;
}

function printed(value: unknown): string {
  if (typeof value !== 'object') return String(value);
  return value === null ? 'null' : goJson(value);
}

/** JSON as Go writes it: keys in order, and `<`, `>`, `&` escaped. */
function goJson(value: unknown): string {
  const text = JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([left], [right]) => byCodePoint(left, right)))
      : part,
  );
  return text.replace(/[<>&]/g, found => `\\u00${found.charCodeAt(0).toString(16)}`);
}
