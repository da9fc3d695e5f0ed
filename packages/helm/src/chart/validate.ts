/** What a chart's metadata must meet before the chart is used, with Helm's messages. */

import { parseVersion } from '@capstan/gotemplate';
import { HelmError } from '../errors.ts';
import type { Dependency, Maintainer, Metadata } from './metadata.ts';

const aliasFormat = /^[a-zA-Z0-9_-]+$/;

function invalid(message: string): never {
  throw new HelmError('ChartInvalid', `validation: ${message}`);
}

/** Spaces of every kind become plain ones, and what cannot be printed goes: metadata ends up on terminals. */
function sanitized(text: string): string {
  return text.replace(/[\s\u0085]/gu, ' ').replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '');
}

function sanitizedFields<T extends object>(fields: T, names: readonly (keyof T)[]): T {
  const out = { ...fields };
  for (const name of names) {
    const value = out[name] as unknown;
    if (typeof value === 'string') out[name] = sanitized(value) as T[keyof T];
    else if (Array.isArray(value)) out[name] = value.map(item => sanitized(String(item))) as T[keyof T];
  }
  return out;
}

const cleaned = [
  'name',
  'description',
  'home',
  'icon',
  'condition',
  'tags',
  'appVersion',
  'kubeVersion',
  'sources',
  'keywords',
] as const satisfies readonly (keyof Metadata)[];

/** The metadata, cleaned, or an error that says what is wrong with it. */
export function validated(metadata: Metadata): Metadata {
  const clean = sanitizedFields(metadata, cleaned);
  if (!clean.apiVersion) invalid('chart.metadata.apiVersion is required');
  if (!clean.name) invalid('chart.metadata.name is required');
  if (clean.name === '.' || clean.name === '..') {
    invalid(`chart.metadata.name ${JSON.stringify(clean.name)} is not allowed`);
  }
  if (clean.name.includes('/')) invalid(`chart.metadata.name ${JSON.stringify(clean.name)} is invalid`);
  if (!clean.version) invalid('chart.metadata.version is required');
  if (!isVersion(clean.version)) invalid(`chart.metadata.version ${JSON.stringify(clean.version)} is invalid`);
  if (!['application', 'library', undefined].includes(clean.type)) {
    invalid('chart.metadata.type must be application or library');
  }
  return {
    ...clean,
    ...(clean.maintainers && { maintainers: clean.maintainers.map(validMaintainer) }),
    ...(clean.dependencies && { dependencies: validDependencies(clean.dependencies) }),
  };
}

function validMaintainer(maintainer: Maintainer | null): Maintainer {
  if (maintainer === null) invalid('maintainers must not contain empty or null nodes');
  return sanitizedFields(maintainer, ['name', 'email', 'url']);
}

function validDependencies(dependencies: readonly (Dependency | null)[]): Dependency[] {
  const names = new Set<string>();
  return dependencies.map(dependency => {
    if (dependency === null) invalid('dependencies must not contain empty or null nodes');
    const clean = sanitizedFields(dependency, ['name', 'version', 'repository', 'condition', 'tags']);
    if (clean.alias && !aliasFormat.test(clean.alias)) {
      invalid(`dependency ${JSON.stringify(clean.name)} has disallowed characters in the alias`);
    }
    const key = clean.alias || clean.name;
    if (names.has(key)) invalid(`more than one dependency with name or alias ${JSON.stringify(key)}`);
    names.add(key);
    return clean;
  });
}

function isVersion(text: string): boolean {
  try {
    parseVersion(text);
    return true;
  } catch {
    return false;
  }
}
