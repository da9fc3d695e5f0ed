/**
 * From the bytes of a request to JSON, with what a strict reader objects to: keys that come twice. `JSON.parse` does the
 * work; a slower scan runs only when something is wrong, to say what in the words of Go's decoder.
 */
import type { Json } from '@capstan/kube';
import { StatusError } from '../status.ts';
import { findDuplicates, findOverflow, surveyJson } from './json-scan.ts';
import { syntaxError } from './json-syntax.ts';
import { decodeYaml } from './yaml.ts';

export interface Decoded {
  readonly value: Json;
  /** For fieldValidation: `duplicate field "spec.replicas"`. */
  readonly problems: readonly string[];
}

/**
 * Deeper bodies are refused: every later step recurses over the object. Kubernetes stops at 10,000; nothing anybody uses
 * comes near 1,000.
 */
export const MAX_DEPTH = 1_000;

/**
 * The body is not JSON or YAML: a 400. The message ends as Kubernetes' does, with the beginning of the body; whoever knows
 * the kind puts `the object provided is unrecognized (must be of type Widget): ` in front.
 */
export class DecodeError extends StatusError {
  /** What Go's decoder says, without the frame around it. */
  readonly reason: string;

  constructor(reason: string, bytes: Buffer) {
    super({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `couldn't get version/kind; json parse error: ${reason} (${beginning(bytes)})`,
      reason: 'BadRequest',
      code: 400,
    });
    this.reason = reason;
  }
}

/** It is JSON, but a number in it is larger than any that there is. Whoever knows what the body is for says so in other words. */
export class NumberOverflow extends DecodeError {
  constructor(literal: string, bytes: Buffer) {
    super(`json: cannot unmarshal number ${literal} into Go value of type float64`, bytes);
  }
}

export function parseJson(bytes: Buffer): Decoded {
  const survey = surveyJson(bytes);
  if (survey.depth > MAX_DEPTH) throw new DecodeError('exceeded max depth', bytes);
  const text = bytes.toString('utf8');
  let value: Json;
  try {
    value = (LONE_SURROGATE.test(text) ? JSON.parse(text, wellFormed) : JSON.parse(text)) as Json;
  } catch {
    throw new DecodeError(syntaxError(text), bytes);
  }
  // Each key has one colon. Where the object has fewer keys than the text has colons, some came twice.
  const keys = countKeys(value);
  if (keys === survey.keys) return { value, problems: [] };
  if (keys === Number.POSITIVE_INFINITY) throw new NumberOverflow(findOverflow(text), bytes);
  return { value, problems: findDuplicates(text) };
}

/** Text may contain an escape that could be half of a character; Go replaces the halves that stand alone. */
const LONE_SURROGATE = /\\u[dD][89a-fA-F]/;
const wellFormed = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed() : value;

/** JSON is YAML too: clients send it as such, and it is parsed as what it is. */
export function parseYaml(bytes: Buffer): Decoded {
  if (looksLikeJson(bytes)) {
    try {
      return parseJson(bytes);
    } catch (error) {
      if (!(error instanceof DecodeError) || error.reason === 'exceeded max depth') throw error;
    }
  }
  const decoded = decodeYaml(bytes.toString('utf8'), MAX_DEPTH);
  if ('error' in decoded) throw new DecodeError(decoded.error, bytes);
  return decoded;
}

/** The first 30 bytes: as text where it begins like an object, else as hexadecimal digits. */
export function beginning(bytes: Buffer): string {
  if (bytes.length === 0) return '<empty>';
  const start = bytes.subarray(0, 30).toString(bytes[0] === 0x7b ? 'utf8' : 'hex');
  return bytes.length > 30 ? `${start} ...` : start;
}

function looksLikeJson(bytes: Buffer): boolean {
  for (const byte of bytes) {
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) return byte === 0x7b;
  }
  return false;
}

/** Infinite where a number is: what `JSON.parse` makes of `1e400` would be written as null. */
function countKeys(value: Json): number {
  if (typeof value === 'number') return Number.isFinite(value) ? 0 : Number.POSITIVE_INFINITY;
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countKeys(item);
    return count;
  }
  const keys = Object.keys(value);
  count = keys.length;
  for (const key of keys) count += countKeys(value[key]!);
  return count;
}
