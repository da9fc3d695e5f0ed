/** Amounts of resources: their names, their signs, and requests that fit their limits. */
import { compareQuantities, parseQuantity, validateQualifiedName } from '@capstan/kube';
import { duplicateValue, forbiddenValue, invalidValue } from '../../field-error.ts';
import { listOf, own, type Tree } from '../tree.ts';
import { checkText, type Errors } from './fields.ts';

type Amounts = Readonly<Record<string, string>>;

const STANDARD = new Set([
  'cpu',
  'memory',
  'ephemeral-storage',
  'storage',
  'pods',
  'services',
  'secrets',
  'configmaps',
]);
const FOR_CONTAINERS = new Set(['cpu', 'memory', 'ephemeral-storage']);
/** May be promised more often than it exists. */
const OVERCOMMITTED = new Set(['cpu', 'memory', 'ephemeral-storage', 'storage']);
const DEFAULT_DOMAIN = 'kubernetes.io/';

const isHugePages = (name: string): boolean => name.startsWith('hugepages-');
const isNative = (name: string): boolean => !name.includes('/') || name.includes(DEFAULT_DOMAIN);
/** `example.com/gpu`: counted in whole pieces and never overcommitted. */
const isExtended = (name: string): boolean => !isNative(name) && !name.startsWith('requests.');

export function checkContainerResources(
  errors: Errors,
  path: string,
  resources: Tree,
  claims: ReadonlySet<string>,
): void {
  const limits = (resources['limits'] ?? {}) as Amounts;
  const requests = (resources['requests'] ?? {}) as Amounts;
  for (const [name, amount] of Object.entries(limits)) checkAmount(errors, `${path}.limits[${name}]`, name, amount);
  for (const [name, amount] of Object.entries(requests)) {
    checkAmount(errors, `${path}.requests[${name}]`, name, amount);
    const limit = own(limits, name);
    if (limit !== undefined) checkFits(errors, `${path}.requests`, name, amount, limit);
    else if (!isOvercommitAllowed(name)) {
      errors.push(requiredLimit(`${path}.limits`));
    }
  }
  checkHugePages(errors, path, limits, requests);
  checkClaims(errors, `${path}.claims`, resources, claims);
}

function isOvercommitAllowed(name: string): boolean {
  return isNative(name) && !isHugePages(name) && (OVERCOMMITTED.has(name) || !STANDARD.has(name));
}

const requiredLimit = (path: string) =>
  ({
    type: 'FieldValueRequired',
    field: path,
    badValue: '',
    detail: 'Limit must be set for non overcommitable resources',
  }) as const;

function checkFits(errors: Errors, path: string, name: string, request: string, limit: string): void {
  const order = compareQuantities(request, limit);
  if (!isOvercommitAllowed(name) && order !== 0) {
    errors.push(invalidValue(path, request, `must be equal to ${name} limit of ${limit}`));
  } else if (order > 0) {
    errors.push(invalidValue(path, request, `must be less than or equal to ${name} limit of ${limit}`));
  }
}

function checkAmount(errors: Errors, path: string, name: string, amount: string): void {
  checkContainerResourceName(errors, path, name);
  checkResourceAmount(errors, path, name, amount);
}

/** One that a container can ask for. */
export function checkContainerResourceName(errors: Errors, path: string, name: string): void {
  const before = errors.length;
  checkResourceName(errors, path, name);
  const isQualified = name.includes('/') && !isNative(name);
  if (!isQualified && !FOR_CONTAINERS.has(name) && !isHugePages(name)) {
    if (!name.includes('/')) errors.push(invalidValue(path, name, 'must be a standard resource for containers'));
    else if (errors.length === before)
      errors.push(invalidValue(path, name, "doesn't follow extended resource name standard"));
  }
}

/** Qualified by a domain, or one of those that Kubernetes knows. */
export function checkResourceName(errors: Errors, path: string, name: string): void {
  const before = errors.length;
  checkText(errors, path, name, validateQualifiedName);
  if (errors.length > before) return;
  if (!name.includes('/') && !STANDARD.has(name) && !isHugePages(name)) {
    errors.push(invalidValue(path, name, 'must be a standard resource type or fully qualified'));
  }
}

/** Not below zero, and whole where pieces are counted. */
export function checkResourceAmount(errors: Errors, path: string, name: string, amount: string): void {
  const { nanos } = parseQuantity(amount);
  if (nanos < 0n) errors.push(invalidValue(path, amount, 'must be greater than or equal to 0'));
  if (isExtended(name) && nanos % 1_000_000_000n !== 0n) errors.push(invalidValue(path, amount, 'must be an integer'));
}

function checkHugePages(errors: Errors, path: string, limits: Amounts, requests: Amounts): void {
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  const others = ['cpu', 'memory'];
  if (names.some(isHugePages) && !others.some(name => Object.hasOwn(limits, name) || Object.hasOwn(requests, name))) {
    errors.push(forbiddenValue(path, 'HugePages require cpu or memory'));
  }
}

function checkClaims(errors: Errors, path: string, resources: Tree, known: ReadonlySet<string>): void {
  const seen = new Set<string>();
  for (const [index, claim] of listOf(resources, 'claims').entries()) {
    const name = (claim['name'] ?? '') as string;
    if (seen.has(name)) errors.push(duplicateValue(`${path}[${index}]`, name));
    seen.add(name);
    if (!known.has(name)) {
      const detail = `must be one of the names in pod.spec.resourceClaims${known.size === 0 ? ' which is empty' : ''}`;
      errors.push({ type: 'FieldValueNotFound', field: `${path}[${index}]`, badValue: name, detail });
    }
  }
}
