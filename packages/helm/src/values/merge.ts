/** A user's values from all the ways to give them, in Helm's order of precedence. */

import { decodeJson, GoMap, toHost } from '@capstan/gotemplate';
import { HelmError, withWords } from '../errors.ts';
import { defaultHelmVersion, type HelmVersion } from '../version.ts';
import { mergeTables } from './merge-tables.ts';
import { parseValues } from './read.ts';
import { applySet, type SetKind } from './set-parser.ts';
import { copyValues, emptyValues, type MutableValues, type Values } from './values.ts';

/** A values file that was read already. */
export interface ValuesFile {
  /** For messages. */
  readonly name: string;
  readonly text: string;
}

/** Later ones win over earlier ones, and each row over the rows above it. */
export interface ValuesSources {
  /** `--values`. */
  readonly files?: readonly ValuesFile[];
  /** Values already at hand, over the files. */
  readonly values?: readonly Values[];
  /** `--set-json`. */
  readonly setJson?: readonly string[];
  /** `--set`. */
  readonly set?: readonly string[];
  /** `--set-string`. */
  readonly setString?: readonly string[];
  /** `--set-file`; {@link ValuesSources.readFile} reads the paths. */
  readonly setFile?: readonly string[];
  /** `--set-literal`. */
  readonly setLiteral?: readonly string[];
  /** The contents of a file named by `--set-file`. */
  readonly readFile?: (path: string) => string;
  readonly helm?: HelmVersion;
}

/**
 * ```ts
 * mergeValues({ files: [{ name: 'prod.yaml', text }], set: ['replicas=3', 'image.tag=1.2'] });
 * ```
 */
export function mergeValues(sources: ValuesSources): Values {
  const helm = sources.helm ?? defaultHelmVersion;
  let base: Values = emptyValues();
  for (const { name, text } of sources.files ?? []) {
    try {
      base = mergeTables(base, parseValues(text, helm));
    } catch (error) {
      throw withWords('ValuesInvalid', `failed to parse ${name}`, error);
    }
  }
  for (const values of sources.values ?? []) base = mergeTables(base, copyValues(values));
  const target: MutableValues = copyValues(base);
  for (const text of sources.setJson ?? []) setJson(text, target, helm);
  const readFile = sources.readFile ?? (path => refuseFile(path));
  const rows = [
    ['set', sources.set],
    ['set-string', sources.setString],
    ['set-file', sources.setFile],
    ['set-literal', sources.setLiteral],
  ] as const satisfies readonly (readonly [SetKind, readonly string[] | undefined])[];
  for (const [kind, texts] of rows) {
    for (const text of texts ?? []) {
      try {
        applySet(text, kind, target, { readFile, helm });
      } catch (error) {
        throw withWords('ValuesInvalid', `failed parsing --${kind} data`, error);
      }
    }
  }
  return target;
}

/** Helm 4 also takes a whole object; the reason of a failure is not told, because Helm does not. */
function setJson(text: string, target: MutableValues, helm: HelmVersion): void {
  const trimmed = text.trim();
  const isObject = helm === 4 && trimmed.startsWith('{');
  try {
    if (!isObject) {
      applySet(text, 'set-json', target, { helm });
      return;
    }
    const value = decodeJson(trimmed);
    if (!(value instanceof GoMap)) throw new TypeError('not an object');
    Object.assign(target, mergeTables(target, toHost(value) as unknown as Values));
  } catch (error) {
    const words = isObject ? 'failed parsing --set-json data JSON: ' : 'failed parsing --set-json data ';
    throw new HelmError('ValuesInvalid', words + text, { cause: error });
  }
}

function refuseFile(path: string): never {
  throw new HelmError('NotFound', `open ${path}: no file can be read here`);
}
