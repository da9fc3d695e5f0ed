/** The strategies of the smaller kinds of `v1` beyond what all kinds share. */
import { timestamp } from '@capstan/kube';
import {
  defaultEndpoints,
  defaultLimitRange,
  defaultNamespace,
  defaultNode,
  defaultPersistentVolume,
  defaultPersistentVolumeClaim,
  defaultSecret,
} from '../defaults/core.ts';
import { type StrategyRules, take } from '../strategy.ts';
import { ensure, listOf } from '../tree.ts';
import { labelNameProblems, validateNamespace, validateNode, validateNodeUpdate } from '../validation/cluster.ts';
import {
  secretWarnings,
  validateConfigMap,
  validateConfigMapUpdate,
  validateSecret,
  validateSecretUpdate,
} from '../validation/config.ts';
import { validateEndpoints } from '../validation/endpoints.ts';
import { validateLimitRange, validateQuota, validateQuotaUpdate } from '../validation/limits.ts';
import { validateClaim, validateClaimUpdate, validateVolume, validateVolumeUpdate } from '../validation/storage.ts';

const KUBERNETES = 'kubernetes';

export const namespaceRules: StrategyRules = {
  validateName: labelNameProblems,
  default: defaultNamespace,
  validate: validateNamespace,
  prepareForCreate(draft) {
    defaultNamespace(draft);
    draft['status'] = { phase: 'Active' };
    const finalizers = (ensure(draft, 'spec')['finalizers'] ?? []) as string[];
    draft['spec'].finalizers = finalizers.includes(KUBERNETES) ? finalizers : [...finalizers, KUBERNETES];
  },
  // The finalizers of a namespace go through /finalize alone.
  prepareForUpdate: (draft, old) => take(ensure(draft, 'spec'), old['spec'] ?? {}, 'finalizers'),
};

export const configMapRules: StrategyRules = { validate: validateConfigMap, validateUpdate: validateConfigMapUpdate };

export const secretRules: StrategyRules = {
  default: defaultSecret,
  validate: validateSecret,
  warnings: secretWarnings,
  validateUpdate: validateSecretUpdate,
};

export const serviceAccountRules: StrategyRules = {
  prepareForCreate: draft => nameSecretsOnly(draft),
  prepareForUpdate: draft => nameSecretsOnly(draft),
};

/** Of the references to Secrets, the name alone counts. */
function nameSecretsOnly(draft: Record<string, unknown>): void {
  const secrets = listOf(draft, 'secrets');
  if (secrets.length > 0) draft['secrets'] = secrets.map(({ name }) => (name === undefined ? {} : { name }));
}

export const persistentVolumeRules: StrategyRules = {
  default: defaultPersistentVolume,
  validate: validateVolume,
  validateUpdate: validateVolumeUpdate,
  prepareForCreate(draft, { clock }) {
    draft['status'] = { phase: 'Pending', lastPhaseTransitionTime: timestamp(clock.now()) };
  },
  prepareForStatusUpdate(draft, old, { clock }) {
    const status = ensure(draft, 'status');
    const before = old['status']?.lastPhaseTransitionTime as string | undefined;
    if (status['phase'] === old['status']?.phase) {
      if (before !== undefined) status['lastPhaseTransitionTime'] ??= before;
    } else if (status['lastPhaseTransitionTime'] === undefined || status['lastPhaseTransitionTime'] === before) {
      status['lastPhaseTransitionTime'] = timestamp(clock.now());
    }
  },
};

export const persistentVolumeClaimRules: StrategyRules = {
  default: defaultPersistentVolumeClaim,
  validate: validateClaim,
  validateUpdate: validateClaimUpdate,
  prepareForCreate(draft) {
    draft['status'] = { phase: 'Pending' };
    copyDataSource(draft);
  },
  prepareForUpdate: draft => copyDataSource(draft),
};

const SNAPSHOT = 'VolumeSnapshot.snapshot.storage.k8s.io';

/** `dataSourceRef` is the wider successor of `dataSource`, which knows two kinds and forgets others: whoever sets one has set both. */
function copyDataSource(draft: Record<string, unknown>): void {
  const spec = ensure(draft, 'spec');
  const { kind, apiGroup } = spec['dataSource'] ?? {};
  const isKnown = apiGroup ? `${kind}.${apiGroup}` === SNAPSHOT : kind === 'PersistentVolumeClaim';
  if (!isKnown) delete spec['dataSource'];
  if (spec['dataSource'] && spec['dataSourceRef'] === undefined) spec['dataSourceRef'] = { ...spec['dataSource'] };
  else if (spec['dataSourceRef'] && spec['dataSource'] === undefined && !spec['dataSourceRef'].namespace) {
    spec['dataSource'] = { ...spec['dataSourceRef'] };
  }
}

/** A kubelet registers its node together with its status, so a create keeps it. */
export const nodeRules: StrategyRules = {
  default: defaultNode,
  keepsStatusOnCreate: true,
  validate: validateNode,
  validateUpdate: validateNodeUpdate,
};

export const endpointsRules: StrategyRules = {
  allowsCreateOnUpdate: true,
  default: defaultEndpoints,
  validate: validateEndpoints,
  warnings: () => [ENDPOINTS_DEPRECATED],
};

const ENDPOINTS_DEPRECATED = 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice';

export const limitRangeRules: StrategyRules = {
  allowsCreateOnUpdate: true,
  default: defaultLimitRange,
  validate: validateLimitRange,
};

export const resourceQuotaRules: StrategyRules = { validate: validateQuota, validateUpdate: validateQuotaUpdate };
