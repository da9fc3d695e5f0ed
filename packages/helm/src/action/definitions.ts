/** The chart's own definitions (`crds/`): made where they are missing, never changed, never removed. */
import type { DynamicObject, Resource } from '@capstan/kube';
import { parseManifest } from '../apply/manifest.ts';
import { readLive } from '../apply/ownership.ts';
import { describe, kindsOf, resolveTargets } from '../apply/target.ts';
import { writeTarget } from '../apply/write.ts';
import { isCurrent } from '../wait/readiness.ts';
import { waitUntilReady } from '../wait/wait.ts';
import type { Helm } from './context.ts';
import type { Holding } from './holding.ts';

/** A definition that takes longer than this to be served has a problem. */
const ESTABLISHED_WITHIN = 60_000;

export async function installDefinitions(helm: Helm, holding: Holding, texts: readonly string[]): Promise<void> {
  const targets = await resolveTargets(kindsOf(helm.discovery), texts.flatMap(parseManifest), helm.namespace);
  for (const target of targets) {
    if (await readLive(helm.client, target)) continue;
    await holding.ensure();
    await writeTarget(helm.client, target, undefined, { method: 'ssa', signal: holding.signal });
    helm.onProgress({ kind: 'written', object: describe(target.object) });
  }
  if (targets.length === 0) return;
  await waitUntilReady({ ...helm, signal: holding.signal }, targets, isCurrent, ESTABLISHED_WITHIN);
  helm.discovery.invalidate();
}

interface DefinitionSpec {
  readonly group?: string;
  readonly scope?: string;
  readonly names?: { readonly plural?: string; readonly kind?: string };
  readonly versions?: readonly { readonly name: string; readonly served?: boolean }[];
}

/** The kinds that definitions will add, before the server knows them: templates and checks have to know them already. */
export function kindsDefinedBy(texts: readonly string[]): Resource<DynamicObject>[] {
  return texts.flatMap(parseManifest).flatMap(({ object }) => {
    if (object.kind !== 'CustomResourceDefinition') return [];
    const { group = '', scope, names = {}, versions = [] } = (object['spec'] ?? {}) as DefinitionSpec;
    return versions
      .filter(({ served }) => served !== false)
      .map(({ name }) => ({
        group,
        version: name,
        kind: names.kind ?? '',
        plural: names.plural ?? '',
        namespaced: scope === 'Namespaced',
      }));
  });
}
