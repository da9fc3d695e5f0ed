/** The environment of a container, by the rules of a kubelet: later ones win, and may refer to earlier ones. */
import type { ConfigMap, Container, EnvFromSource, EnvVar, Pod, Secret } from '@capstan/kube';
import { podField, resourceField, type Surroundings } from './downward.ts';
import { expand } from './expand.ts';

/** Objects that a container's environment and volumes refer to. */
export interface Sources {
  configMap(name: string): ConfigMap | undefined;
  secret(name: string): Secret | undefined;
}

/** The container cannot be made as it is configured; shown to the user as CreateContainerConfigError. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

export interface EnvironmentInput {
  readonly pod: Pod;
  readonly container: Container;
  readonly sources: Sources;
  readonly surroundings: Surroundings;
  /** What is there before the container's own: Services, the image's variables, the Pod's name and address. */
  readonly base: ReadonlyMap<string, string>;
}

export function environmentOf({ pod, container, sources, surroundings, base }: EnvironmentInput): Map<string, string> {
  const result = new Map(base);
  for (const source of container.envFrom ?? []) {
    for (const [name, value] of valuesFrom(source, sources)) result.set(name, value);
  }
  for (const variable of container.env ?? []) {
    const value = valueOfVariable(variable, { pod, container, sources, surroundings, known: result });
    if (value !== undefined) result.set(variable.name, value);
  }
  return result;
}

function valuesFrom({ prefix = '', configMapRef, secretRef }: EnvFromSource, sources: Sources): [string, string][] {
  const named = (entries: readonly [string, string][]): [string, string][] =>
    entries.map(([key, value]) => [`${prefix}${key}`, value]);
  if (configMapRef !== undefined) {
    const name = configMapRef.name ?? '';
    const found = sources.configMap(name);
    if (found !== undefined) return named(Object.entries(found.data ?? {}));
    if (configMapRef.optional) return [];
    throw new ConfigurationError(`configmap ${JSON.stringify(name)} not found`);
  }
  if (secretRef !== undefined) {
    const name = secretRef.name ?? '';
    const found = sources.secret(name);
    if (found !== undefined)
      return named(Object.entries(found.data ?? {}).map(([key, value]) => [key, decoded(value)]));
    if (secretRef.optional) return [];
    throw new ConfigurationError(`secret ${JSON.stringify(name)} not found`);
  }
  return [];
}

interface ValueContext extends Omit<EnvironmentInput, 'base'> {
  readonly known: ReadonlyMap<string, string>;
}

/** Undefined: an optional reference to nothing, so the variable is not set at all. */
function valueOfVariable({ name, value, valueFrom }: EnvVar, context: ValueContext): string | undefined {
  const { pod, container, sources, surroundings, known } = context;
  if (valueFrom === undefined) return expand(value ?? '', known);
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = valueFrom;
  if (fieldRef !== undefined) {
    const field = podField(pod, fieldRef.fieldPath, surroundings);
    if (field === undefined) throw new ConfigurationError(`unsupported fieldPath: ${fieldRef.fieldPath}`);
    return field;
  }
  if (resourceFieldRef !== undefined) {
    const amount = resourceField(pod, container, resourceFieldRef, surroundings);
    if (amount === undefined)
      throw new ConfigurationError(`unsupported resource of ${name}: ${resourceFieldRef.resource}`);
    return amount;
  }
  if (configMapKeyRef !== undefined) {
    const { name: map = '', key, optional = false } = configMapKeyRef;
    return fromKey({ kind: 'configmap', name: map, key, optional }, sources.configMap(map)?.data);
  }
  if (secretKeyRef !== undefined) {
    const { name: secret = '', key, optional = false } = secretKeyRef;
    const text = fromKey({ kind: 'secret', name: secret, key, optional }, sources.secret(secret)?.data);
    return text === undefined ? undefined : decoded(text);
  }
  return '';
}

interface KeyReference {
  readonly kind: 'configmap' | 'secret';
  readonly name: string;
  readonly key: string;
  readonly optional: boolean;
}

function fromKey(
  { kind, name, key, optional }: KeyReference,
  data: Readonly<Record<string, string>> | undefined,
): string | undefined {
  const value = data?.[key];
  if (value !== undefined || optional) return value;
  if (data === undefined) throw new ConfigurationError(`${kind} ${JSON.stringify(name)} not found`);
  const words = kind === 'configmap' ? 'ConfigMap' : 'Secret';
  throw new ConfigurationError(`couldn't find key ${key} in ${words} ${name}`);
}

const decoded = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8');
