/** YAML to values as sigs.k8s.io/yaml does it: through JSON, so all numbers are float64 and all keys are strings. */

import { GoError } from '../errors.ts';
import { encodeJson } from '../json/encode.ts';
import { decodeBase64 } from '../text/base64.ts';
import { fromBytes } from '../text/bytes.ts';
import { formatExponent, plainDigits } from '../text/number.ts';
import { quote } from '../text/quote.ts';
import { GoMap, list, type Value } from '../value/values.ts';
import { compose, type MappingNode, type Node, type ScalarNode } from './compose.ts';
import { type Resolved, resolve } from './resolve.ts';

export interface ParseYamlOptions {
  /** Refuse keys that stand twice in a mapping, as `UnmarshalStrict`. */
  readonly strict?: boolean;
}

/**
 * The value of the first document of a text, with Go's message where there is none:
 * `error converting YAML to JSON: yaml: line 2: mapping values are not allowed in this context`.
 */
export function parseYaml(text: string, options: ParseYamlOptions = {}): Value {
  try {
    const root = compose(text);
    return root ? new Decoder(options.strict ?? false).document(root) : null;
  } catch (error) {
    if (error instanceof GoError) throw new GoError(`error converting YAML to JSON: ${error.message}`);
    throw error;
  }
}

const prefix = 'tag:yaml.org,2002:';
const shortTag = (tag: string) => (tag.startsWith(prefix) ? `!!${tag.slice(prefix.length)}` : tag);

/** go-yaml's bounds on how much of a document may come from aliases. */
const aliasRatio = (count: number) => {
  if (count <= 400_000) return 0.99;
  return count >= 4_000_000 ? 0.1 : 0.99 - 0.89 * ((count - 400_000) / 3_600_000);
};

class Decoder {
  readonly #strict: boolean;
  readonly #problems: string[] = [];
  readonly #open = new Set<Node>();
  #sawInfinity = false;
  #decoded = 0;
  #fromAliases = 0;
  #aliasDepth = 0;

  constructor(strict: boolean) {
    this.#strict = strict;
  }

  document(root: Node): Value {
    const value = this.#value(root);
    if (this.#problems.length > 0) throw new GoError(`yaml: unmarshal errors:\n  ${this.#problems.join('\n  ')}`);
    // Only what is left at the end has to go through JSON, which has no infinities.
    if (this.#sawInfinity) encodeJson(value);
    return value;
  }

  #count(): void {
    this.#decoded++;
    if (this.#aliasDepth > 0) this.#fromAliases++;
    if (this.#fromAliases <= 100 || this.#decoded <= 1000) return;
    if (this.#fromAliases / this.#decoded > aliasRatio(this.#decoded)) {
      throw new GoError('yaml: document contains excessive aliasing');
    }
  }

  #value(node: Node): Value {
    this.#count();
    switch (node.kind) {
      case 'scalar': {
        const value = scalarValue(resolveScalar(node));
        if (typeof value === 'number' && !Number.isFinite(value)) this.#sawInfinity = true;
        return value;
      }
      case 'sequence':
        return list(node.items.map(item => this.#value(item)));
      case 'mapping': {
        const map = new GoMap();
        this.#fill(map, node);
        return map;
      }
      case 'alias':
        return this.#throughAlias(node, target => this.#value(target));
    }
  }

  #throughAlias<T>(node: Extract<Node, { kind: 'alias' }>, use: (target: Node) => T): T {
    if (this.#open.has(node)) throw new GoError(`yaml: anchor '${node.name}' value contains itself`);
    this.#open.add(node);
    this.#aliasDepth++;
    const result = use(node.target);
    this.#aliasDepth--;
    this.#open.delete(node);
    return result;
  }

  #fill(map: GoMap, node: MappingNode): void {
    for (const [key, value] of node.entries) {
      if (isMerge(key)) {
        this.#merge(map, value);
        continue;
      }
      this.#count();
      const name = this.#key(key, value);
      const element = this.#value(value);
      if (this.#strict && map.has(name))
        this.#problems.push(`line ${value.line + 1}: key ${quote(name)} already set in map`);
      else map.set(name, element);
    }
  }

  #merge(map: GoMap, node: Node) {
    const wrong = () => new GoError('yaml: map merge requires map or sequence of maps as the value');
    const take = (source: Node): void => {
      this.#count();
      if (source.kind === 'mapping') this.#fill(map, source);
      else if (source.kind === 'alias' && source.target.kind === 'mapping') this.#throughAlias(source, take);
      else throw wrong();
    };
    if (node.kind !== 'sequence') return take(node);
    // Backwards, as the earlier ones take precedence.
    for (const item of node.items.toReversed()) take(item);
  }

  #key(node: Node, value: Node): string {
    if (node.kind === 'alias') return this.#throughAlias(node, target => this.#key(target, value));
    if (node.kind !== 'scalar') throw new GoError(`yaml: invalid map key: ${keyText(this.#value(node))}`);
    const resolved = resolveScalar(node);
    switch (resolved.type) {
      case 'str':
      case 'timestamp':
        return resolved.value;
      case 'merge':
        return '<<';
      case 'bool':
        return String(resolved.value);
      case 'int':
        return resolved.value.toString();
      case 'float':
        return float32Text(resolved.value);
      case 'null':
        throw new GoError(
          `unsupported map key of type: %!s(<nil>), key: <nil>, value: ${valueText(this.#value(value))}`,
        );
    }
  }
}

/** `%#v` of what go-yaml read, as far as scalars go. */
function keyText(value: Value): string {
  if (typeof value === 'string') return quote(value);
  if (value === null) return 'interface {}(nil)';
  if (value instanceof GoMap) {
    const entries = value.keys().map(key => `${quote(key)}:${keyText(value.get(key))}`);
    return `map[interface {}]interface {}{${entries.join(', ')}}`;
  }
  if (typeof value !== 'object') return String(value);
  return `[]interface {}{${('items' in value ? value.items : []).map(keyText).join(', ')}}`;
}

const valueText = (value: Value) => (value === null ? '<nil>' : keyText(value));

/** `strconv.FormatFloat(value, 'g', -1, 32)`: what sigs.k8s.io/yaml makes of a float as a key. */
function float32Text(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return single > 0 ? '.inf' : '-.inf';
  const sign = single < 0 ? '-' : '';
  const magnitude = Math.abs(single);
  for (let precision = 0; ; precision++) {
    const text = magnitude.toExponential(precision);
    if (Math.fround(Number(text)) !== magnitude) continue;
    const [mantissa, exponent] = text.split('e') as [string, string];
    const digits = mantissa.replace('.', '');
    const power = Number(exponent);
    if (power < -4 || power >= 6) return `${sign}${mantissa}e${formatExponent(power)}`;
    return sign + plainDigits(digits, power + 1);
  }
}

function isMerge(node: Node): boolean {
  return node.kind === 'scalar' && node.value === '<<' && (node.isImplicit || node.tag === `${prefix}merge`);
}

function resolveScalar(node: ScalarNode): Resolved {
  if (node.tag === '' && !node.isImplicit) return { type: 'str', value: node.value };
  const { tag, value } = node;
  if (tag === '') return resolve(value);
  if (tag === `${prefix}binary`) return { type: 'str', value: decodeBinary(value) };
  const kind = tag.startsWith(prefix) ? tag.slice(prefix.length) : '';
  if (!['str', 'bool', 'int', 'float', 'null', 'timestamp'].includes(kind)) return { type: 'str', value };
  if (kind === 'str') return { type: 'str', value };
  const resolved = resolve(value, kind === 'timestamp');
  if (resolved.type === kind) return resolved;
  if (kind === 'float' && resolved.type === 'int') return { type: 'float', value: Number(resolved.value) };
  const found = resolved.type === 'merge' ? '!!merge' : `!!${resolved.type}`;
  throw new GoError(`yaml: cannot decode ${found} \`${value}\` as a ${shortTag(tag)}`);
}

function decodeBinary(text: string): string {
  try {
    return fromBytes(decodeBase64(text)).toWellFormed();
  } catch {
    throw new GoError('yaml: !!binary value contains invalid base64 data');
  }
}

function scalarValue(resolved: Resolved): Value {
  switch (resolved.type) {
    case 'null':
      return null;
    case 'merge':
      return '<<';
    case 'int':
      return Number(resolved.value);
    default:
      return resolved.value;
  }
}
