/** What Kubernetes lets pass but points out about a Pod, in an object of its own or in a template. */
import { parseQuantity } from '@capstan/kube';
import { listOf, type Tree } from '../tree.ts';

/** `path` is that of the spec. */
export function podWarnings(path: string, spec: Tree | undefined): string[] {
  if (spec === undefined) return [];
  const warnings: string[] = [];
  for (const [index, secret] of listOf(spec, 'imagePullSecrets').entries()) {
    if (!secret['name']) warnings.push(`${path}.imagePullSecrets[${index}].name: invalid empty name ""`);
  }
  for (const list of ['initContainers', 'containers']) {
    for (const [index, container] of listOf(spec, list).entries()) {
      warnings.push(...containerWarnings(`${path}.${list}[${index}]`, container));
    }
  }
  return warnings;
}

function containerWarnings(at: string, container: Tree): string[] {
  const warnings: string[] = [];
  for (const name of ['memory', 'ephemeral-storage']) {
    for (const list of ['limits', 'requests']) {
      const amount = container['resources']?.[list]?.[name] as string | undefined;
      if (amount !== undefined && parseQuantity(amount).nanos % 1_000_000_000n !== 0n) {
        warnings.push(
          `${at}.resources.${list}[${name}]: fractional byte value "${amount}" is invalid, must be an integer`,
        );
      }
    }
  }
  const variables = new Set<string>();
  for (const [index, { name }] of listOf(container, 'env').entries()) {
    if (variables.has(name)) {
      warnings.push(
        `${at}.env[${index}]: hides previous definition of "${name}", which may be dropped when using apply`,
      );
    }
    variables.add(name);
  }
  return [...warnings, ...portWarnings(at, listOf(container, 'ports'))];
}

function portWarnings(at: string, ports: readonly Tree[]): string[] {
  const seen = new Map<string, number>();
  const warnings: string[] = [];
  for (const [index, port] of ports.entries()) {
    const key = `${port['containerPort']}/${port['protocol']}/${port['hostIP'] ?? ''}/${port['hostPort'] ?? ''}`;
    const first = seen.get(key);
    if (first !== undefined)
      warnings.push(`${at}.ports[${index}]: duplicate port definition with ${at}.ports[${first}]`);
    else seen.set(key, index);
  }
  return warnings;
}
