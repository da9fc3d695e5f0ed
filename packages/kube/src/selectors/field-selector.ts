import { byCodePoint, SelectorError } from './requirement.ts';

/** One condition of a field selector. Unlike labels, fields know equality only. */
export interface FieldRequirement {
  /** `metadata.name`, `status.phase`, … Which ones a kind supports is for the server to say. */
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

export interface FieldMatcher {
  readonly requirements: readonly FieldRequirement[];
  /** `read` gives a field's value as a string, and the empty string where there is none. */
  matches(read: (field: string) => string): boolean;
  toString(): string;
}

/** What the client takes as `fields`: the string syntax, or plain equalities. */
export type FieldSelection = string | Readonly<Record<string, string>>;

/** Reads `metadata.name=a,status.phase!=Running`; `\,`, `\=` and `\\` stand for the characters themselves. */
export function parseFieldSelector(selector: string): FieldMatcher {
  return matcher(
    splitTerms(selector)
      .filter(term => term !== '')
      .sort(byCodePoint)
      .map(term => parseTerm(term, selector)),
  );
}

/** Reads either form that the client accepts. */
export function fieldMatcher(selection: FieldSelection): FieldMatcher {
  if (typeof selection === 'string') return parseFieldSelector(selection);
  return matcher(Object.entries(selection).map(([field, value]) => ({ field, operator: '=', value })));
}

function parseTerm(term: string, selector: string): FieldRequirement {
  const found = /^(.*?)(!=|==|=)(.*)$/s.exec(term);
  if (found === null) throw new SelectorError(`invalid selector: '${selector}'; can't understand '${term}'`);
  const [, field, operator, value] = found;
  return { field: field!, operator: operator === '!=' ? '!=' : '=', value: unescapeValue(value!) };
}

/** Cuts at commas that no backslash precedes. */
function splitTerms(selector: string): string[] {
  return selector === '' ? [] : [...selector.matchAll(/(?:^|,)((?:[^,\\]|\\.?)*)/gs)].map(found => found[1]!);
}

function unescapeValue(value: string): string {
  return value.replace(/\\(.?)|[,=]/gsu, (found, escaped: string | undefined) => {
    if (escaped === undefined) {
      // The API server prints the character's number; that is what users see.
      throw new SelectorError(`invalid field selector: unescaped character in value: ${found.codePointAt(0)}`);
    }
    if (escaped !== '\\' && escaped !== ',' && escaped !== '=') {
      throw new SelectorError(`invalid field selector: invalid escape sequence: ${found}`);
    }
    return escaped;
  });
}

function matcher(requirements: readonly FieldRequirement[]): FieldMatcher {
  return Object.freeze({
    requirements: Object.freeze(requirements),
    matches: (read: (field: string) => string) =>
      requirements.every(({ field, operator, value }) => (read(field) === value) === (operator === '=')),
    toString: () =>
      requirements
        .map(({ field, operator, value }) => field + operator + value.replace(/[\\,=]/g, found => `\\${found}`))
        .join(','),
  });
}
