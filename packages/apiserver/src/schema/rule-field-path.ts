/** Paths to fields as rules and selectable fields write them: `.spec.color`, `.labels['a.b']`. */
import type { Schema } from './schema.ts';

export type FoundField =
  | { readonly path: string; readonly root: string; readonly schema: Schema | undefined }
  | { readonly problem: string };

interface Options {
  /** Whether `['name']` may be used. */
  readonly brackets: boolean;
}

const TOKEN = /'(?:[^'\\]|\\.)*'|[.[\]]|[^.[\]']+|'.*/gs;

/** The field a path leads to from the schema, or what is wrong with the path in Kubernetes' words. */
export function findField(jsonPath: string, from: Schema, { brackets }: Options): FoundField {
  const tokens = jsonPath.match(TOKEN) ?? [];
  const names: string[] = [];
  let path = '';
  let schema: Schema | undefined = from;
  for (let i = 0; i < tokens.length; ) {
    let name: string | undefined;
    if (tokens[i] === '.') {
      name = tokens[i + 1];
      if (name === undefined) return { problem: 'unexpected end of JSON path' };
      i += 2;
    } else if (tokens[i] === '[') {
      if (!brackets) return { problem: 'array notation is not allowed' };
      const quoted = tokens[i + 1];
      if (quoted === undefined) return { problem: 'unexpected end of JSON path' };
      if (!/^'.*'$/s.test(quoted) || quoted.length < 2) {
        return { problem: `expected single quoted string but got ${quoted}` };
      }
      if (tokens[i + 2] === undefined) return { problem: 'unexpected end of JSON path' };
      if (tokens[i + 2] !== ']') return { problem: `expected ] but got ${tokens[i + 2]}` };
      name = quoted.slice(1, -1).replace(/\\(.)/g, '$1');
      i += 3;
    } else {
      return { problem: `expected [ or . but got: ${tokens[i]}` };
    }
    const step: FoundStep = stepInto(schema, name);
    if (step === undefined) return { problem: 'does not refer to a valid field' };
    path = step.isMap ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    names.push(name);
    schema = step.schema;
  }
  return { path, root: names[0] ?? '', schema };
}

type FoundStep = { readonly schema: Schema | undefined; readonly isMap: boolean } | undefined;

function stepInto(schema: Schema | undefined, name: string): FoundStep {
  if (schema?.properties !== undefined && Object.keys(schema.properties).length > 0) {
    if (!Object.hasOwn(schema.properties, name)) return undefined;
    return { schema: schema.properties[name], isMap: false };
  }
  if (schema?.additionalProperties === undefined) return undefined;
  const values = schema.additionalProperties;
  return { schema: typeof values === 'object' ? values : undefined, isMap: true };
}
