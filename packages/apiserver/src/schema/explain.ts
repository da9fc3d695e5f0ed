/**
 * What does not fit a schema, in the words of Kubernetes' validator. The walk also counts what matched, because the
 * complaints about `anyOf` and `oneOf` are those of the alternative that matched most.
 */
import type { Json } from '@capstan/kube';
import {
  type FieldError,
  invalidValue,
  requiredValue,
  tooLong,
  tooMany,
  typeInvalid,
  unsupportedValue,
} from '../field-error.ts';
import { characterCount, hasDuplicates, inEnum } from './check.ts';
import type { Correlated } from './correlate.ts';
import { goQuote } from './go-text.ts';
import { type JsonObject, sortKeys } from './json.ts';
import { numberProblems } from './numbers.ts';
import { type Plan, planOf } from './plan.ts';
import type { Schema } from './schema.ts';
import { typeProblem } from './types.ts';

/** Where a walk is: the field that errors of the root are reported on, and the path from there. */
interface Place {
  readonly root: string;
  readonly path: string;
}

interface Finding {
  /** The complaint in full: the same one is reported once. */
  readonly words: string;
  readonly error: FieldError;
}

const NONE: readonly Finding[] = [];

class Findings {
  /** Most values have none: a list of their own is made when the first one comes. */
  list: readonly Finding[] = NONE;
  matches = 0;

  add(words: string, error: FieldError): void {
    if (this.list === NONE) this.list = [{ words, error }];
    else (this.list as Finding[]).push({ words, error });
  }

  merge(other: Findings): void {
    this.matches += other.matches;
    if (this.list === NONE && other.list !== NONE) this.list = [...other.list];
    else for (const finding of other.list) (this.list as Finding[]).push(finding);
  }

  get valid(): boolean {
    return this.list.length === 0;
  }

  forgive(): void {
    this.list = NONE;
  }
}

/**
 * @param root the field the value stands in, '' for a whole object
 * @param past the value with what it was before: errors of what has not changed are left out
 */
export function explain(value: Json, schema: Schema, root: string, past: Correlated | undefined): FieldError[] {
  const unique = new Map<string, FieldError>();
  for (const { words, error } of judge(value, schema, { root, path: '' }, past).list) {
    if (!unique.has(words)) unique.set(words, error);
  }
  return [...unique.values()];
}

/** With a past, errors of an unchanged value do not count. */
function judge(value: Json, schema: Schema, at: Place, past: Correlated | undefined): Findings {
  const found = new Findings();
  const plan = planOf(schema);
  checkType(value, plan, at, found);
  if (value !== null) {
    checkJunctors(value, schema, at, found);
    checkShape(value, plan, at, past, found);
    found.matches += 2;
  }
  if (!inEnum(value, schema.enum)) {
    const supported = schema.enum!.map(each => (typeof each === 'string' ? each : JSON.stringify(each)));
    found.add(
      `${at.path} in body should be one of ${supported}`,
      unsupportedValue(fieldOf(at), sortKeys(value), supported),
    );
  }
  if (!found.valid && past?.unchanged) found.forgive();
  return found;
}

function checkType(value: Json, plan: Plan, at: Place, found: Findings): void {
  if (value !== null && plan.types.length === 0 && plan.format === '') return;
  const problem = typeProblem(value, plan);
  if (problem === undefined) found.matches++;
  else {
    const words = `${at.path} in body must be of type ${problem.wanted}: ${goQuote(problem.found)}`;
    found.add(words, typeInvalid(fieldOf(at), problem.found, words));
  }
  if (value !== null) found.matches++;
}

function checkShape(
  value: Exclude<Json, null>,
  plan: Plan,
  at: Place,
  past: Correlated | undefined,
  found: Findings,
): void {
  if (typeof value === 'string') checkText(value, plan, at, found);
  else if (typeof value === 'number') checkNumber(value, plan, at, found);
  else if (Array.isArray(value)) checkItems(value, plan, at, past, found);
  else if (typeof value === 'object') checkFields(value, plan, at, past, found);
}

function checkNumber(value: number, plan: Plan, at: Place, found: Findings): void {
  found.matches += 2;
  for (const { general, badValue, words } of numberProblems(value, plan)) {
    const text = words(at.path);
    found.add(text, invalidValue(general ? rootField(at) : fieldOf(at), badValue, text));
  }
}

function checkText(text: string, plan: Plan, at: Place, found: Findings): void {
  found.matches++;
  const { maxLength, minLength, pattern } = plan.schema;
  const invalid = (complaint: string) => {
    const words = `${at.path} in body ${complaint}`;
    found.add(words, invalidValue(fieldOf(at), text, words));
  };
  if (maxLength !== undefined && characterCount(text) > maxLength) {
    found.add(`${at.path} in body should be at most ${maxLength} chars long`, tooLong(fieldOf(at), maxLength));
  } else if (minLength !== undefined && characterCount(text) < minLength) {
    invalid(`should be at least ${minLength} chars long`);
  } else if (plan.pattern?.valid === false) {
    invalid(`should match '${pattern}, but pattern is invalid: ${plan.pattern.reason}'`);
  } else if (plan.pattern?.valid && !plan.pattern.test(text)) {
    invalid(`should match '${pattern}'`);
  }
  if (plan.isFormat === undefined) return;
  found.matches++;
  if (!plan.isFormat(text)) {
    const words = `${at.path} in body must be of type ${plan.format}: ${goQuote(text)}`;
    found.add(words, typeInvalid(fieldOf(at), text, words));
  }
}

function checkItems(list: readonly Json[], plan: Plan, at: Place, past: Correlated | undefined, found: Findings): void {
  const { minItems, maxItems, uniqueItems } = plan.schema;
  if (plan.items !== undefined) {
    for (let i = 0; i < list.length; i++) {
      found.merge(judge(list[i]!, plan.items, { root: at.root, path: `${at.path}[${i}]` }, past?.item(i)));
    }
  }
  found.matches += 2;
  if (minItems !== undefined && list.length < minItems) {
    const words = `${at.path} in body should have at least ${minItems} items`;
    found.add(words, invalidValue(fieldOf(at), list.length, words));
  }
  if (maxItems !== undefined && list.length > maxItems) {
    found.add(`${at.path} in body should have at most ${maxItems} items`, tooMany(fieldOf(at), list.length, maxItems));
  }
  if (uniqueItems && hasDuplicates(list)) {
    const words = `${at.path} in body shouldn't contain duplicates`;
    found.add(words, invalidValue(fieldOf(at), '', words));
  }
}

function checkFields(object: JsonObject, plan: Plan, at: Place, past: Correlated | undefined, found: Findings): void {
  const { minProperties, maxProperties, additionalProperties } = plan.schema;
  const keys = Object.keys(object);
  found.matches++;
  if (minProperties !== undefined && keys.length < minProperties) {
    const words = `${at.path} in body should have at least ${minProperties} properties`;
    found.add(words, invalidValue(fieldOf(at), keys.length, words));
  }
  if (maxProperties !== undefined && keys.length > maxProperties) {
    const words = `${at.path} in body should have at most ${maxProperties} properties`;
    found.add(words, tooMany(fieldOf(at), keys.length, maxProperties));
  }
  for (const key of keys) {
    if (plan.properties.has(key)) continue;
    const place = { root: at.root, path: `${at.path}.${key}` };
    if (plan.additional !== undefined) {
      found.merge(judge(object[key]!, plan.additional, place, past?.field(key)));
    } else if (additionalProperties === false) {
      const words = `${at.path}.${key} in body is a forbidden property`;
      found.add(words, invalidValue(fieldOf(at), key, words));
    }
  }
  for (const [name, schema] of plan.properties) {
    if (!Object.hasOwn(object, name)) continue;
    const place = { root: at.root, path: at.path === '' ? name : `${at.path}.${name}` };
    found.merge(judge(object[name]!, schema, place, pastField(at, past, name)));
  }
  for (const name of plan.required) {
    if (Object.hasOwn(object, name)) continue;
    const place = { root: at.root, path: `${at.path}.${name}` };
    found.add(`${place.path} in body is required`, requiredValue(fieldOf(place)));
  }
}

/** A change of apiVersion or kind is never seen here (both objects have been converted), so they do not ratchet. */
function pastField(at: Place, past: Correlated | undefined, name: string): Correlated | undefined {
  return at.path === '' && (name === 'apiVersion' || name === 'kind') ? undefined : past?.field(name);
}

/** Alternatives have no past: whether one of them holds is decided by the value as it is. */
function checkJunctors(value: Json, schema: Schema, at: Place, found: Findings): void {
  found.matches += 2;
  const { anyOf, oneOf, allOf, not } = schema;
  const judged = (part: Schema) => judge(value, part, at, undefined);
  const general = (words: string) => found.add(words, invalidValue(rootField(at), '', words));
  const name = goQuote(at.path);
  if (anyOf?.length) {
    const results = anyOf.map(judged);
    const firstValid = results.find(result => result.valid);
    if (firstValid === undefined) general(`${name} must validate at least one schema (anyOf)`);
    found.merge(firstValid ?? bestOf(results));
  }
  if (oneOf?.length) {
    const results = oneOf.map(judged);
    const valid = results.filter(result => result.valid);
    if (valid.length === 1) found.merge(valid[0]!);
    else {
      const count = valid.length === 0 ? 'Found none valid' : `Found ${valid.length} valid alternatives`;
      general(`${name} must validate one and only one schema (oneOf). ${count}`);
      if (valid.length === 0) found.merge(bestOf(results));
    }
  }
  if (allOf?.length) {
    const results = allOf.map(judged);
    for (const result of results) found.merge(result);
    const valid = results.filter(result => result.valid).length;
    if (valid < results.length) {
      general(`${name} must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`);
    }
  }
  if (not !== undefined && judged(not).valid) general(`${name} must not validate the schema (not)`);
}

function bestOf(results: readonly Findings[]): Findings {
  return results.reduce((best, next) => (next.matches > best.matches ? next : best));
}

/** Errors that name no field are reported on the root; a whole object has none, which Go prints as `<nil>`. */
function rootField(at: Place): string {
  return at.root === '' ? '<nil>' : at.root;
}

function fieldOf(at: Place): string {
  const path = at.path.startsWith('.') ? at.path.slice(1) : at.path;
  if (path === '') return rootField(at);
  return at.root === '' ? path : `${at.root}.${path}`;
}
