/** What an install or upgrade would do, without doing any of it. */

import { withObjects } from '../action/begin.ts';
import type { Helm } from '../action/context.ts';
import { hooksFor } from '../action/hooks.ts';
import { type UpgradeOptions, upgrade } from '../action/upgrade.ts';
import { crdsOf } from '../chart/chart.ts';
import { ReleaseError } from '../release/errors.ts';
import type { Release } from '../release/release.ts';
import type { HookEvent } from '../render/rendered.ts';
import { type DefinitionPlan, planDefinitions } from './definitions.ts';
import { type ObjectPlan, plannedTargets, planObjects } from './objects.ts';
import { type MissingPermission, missingPermissions } from './permissions.ts';
import { planValues, type ValueChange, type ValuesLayer } from './values.ts';

export interface PlanOptions extends Omit<UpgradeOptions, 'dryRun'> {
  /** Where the given values come from, lowest first; for `ValueChange.origin`. */
  readonly layers?: readonly ValuesLayer[] | undefined;
}

export interface HookPlan {
  readonly event: HookEvent;
  /** `Job migrate`. */
  readonly hook: string;
  readonly weight: number;
}

export interface Plan {
  readonly operation: 'install' | 'upgrade';
  readonly revision: number;
  readonly objects: readonly ObjectPlan[];
  readonly values: readonly ValueChange[];
  /** In the order in which they would run. */
  readonly hooks: readonly HookPlan[];
  readonly definitions: readonly DefinitionPlan[];
  readonly missingPermissions: readonly MissingPermission[];
}

/** Asks the cluster what would change. Writes nothing; the permissions of the operation itself are not needed for it. */
export async function plan(helm: Helm, options: PlanOptions): Promise<Plan> {
  const { name, chart } = options;
  const history = await helm.store.history(name);
  const last = history.at(-1)?.release;
  const isNew = last === undefined || last.info.status === 'uninstalled';
  if (isNew && !options.install) throw new ReleaseError('ReleaseNotFound', `"${name}" has no deployed releases`);
  // Objects of others are a line of the plan, not the end of it.
  const release = await upgrade(helm, { ...options, dryRun: 'server', takeOwnership: true });
  const definitions = isNew && !options.skipCrds ? crdsOf(chart).map(({ data }) => Buffer.from(data).toString()) : [];
  const earlier = withObjects(history);
  const former = earlier.findLast(({ info }) => info.status === 'deployed') ?? earlier.at(-1);
  const targets = await plannedTargets(helm, release, earlier, definitions);
  const takeOwnership = options.takeOwnership ?? false;
  return {
    operation: isNew ? 'install' : 'upgrade',
    revision: isNew ? (last?.version ?? 0) + 1 : release.version,
    objects: await planObjects(helm, release, targets, { takeOwnership, former }),
    values: planValues(former, release, options.layers ?? [{ origin: 'given', values: options.values }]),
    hooks: options.noHooks ? [] : plannedHooks(release, isNew),
    definitions: await planDefinitions(
      helm,
      crdsOf(chart).map(({ data }) => Buffer.from(data).toString()),
    ),
    missingPermissions: await missingPermissions(helm, targets),
  };
}

function plannedHooks(release: Release, isNew: boolean): HookPlan[] {
  const events: HookEvent[] = isNew ? ['pre-install', 'post-install'] : ['pre-upgrade', 'post-upgrade'];
  return events.flatMap(event =>
    hooksFor(release, event).map(({ kind, name, weight = 0 }) => ({ event, hook: `${kind} ${name}`, weight })),
  );
}
