import { deepClone } from '@capstan/kube';
import { describe, expect, test } from 'vitest';
import { errorMessage } from '../field-error.ts';
import type { Draft, Stored, Strategy, StrategyContext } from '../kind.ts';
import { widgetCrd, widgetVersion } from './crd.fixture.ts';
import { crdStrategy, defaultCrd } from './crd-strategy.ts';
import { CRD_CASES } from './validate.cases.fixture.ts';
import { validateCrdUpdate } from './validate.ts';

const ground: Strategy = {
  allowsUnconditionalUpdate: true,
  allowsCreateOnUpdate: false,
  tracksGeneration: false,
  default() {},
  prepareForCreate() {},
  prepareForUpdate() {},
  prepareForStatusUpdate() {},
  validate: () => [],
  validateUpdate: () => [],
  validateStatusUpdate: () => [],
  resetFields: () => [],
};
const strategy = crdStrategy(ground);
const context = {} as StrategyContext;

/** As the server takes it: defaults, then what a create prepares. */
function created(crd: object): Draft {
  const draft = deepClone(crd) as Draft;
  strategy.default(draft);
  strategy.prepareForCreate(draft, context);
  return draft;
}

describe('CRDs that are refused, and why', () => {
  test.each(CRD_CASES.map(each => [each.name, each] as const))('%s', (_name, { crd, messages }) => {
    expect(new Set(strategy.validate(created(crd)).map(errorMessage))).toEqual(new Set(messages));
  });
});

describe('defaults', () => {
  test('names follow from the kind, nothing is converted', () => {
    const draft = { metadata: {}, spec: { names: { plural: 'widgets', kind: 'Widget' } } } as Draft;
    defaultCrd(draft);
    expect(draft.spec).toEqual({
      names: { plural: 'widgets', kind: 'Widget', singular: 'widget', listKind: 'WidgetList' },
      conversion: { strategy: 'None' },
    });
  });

  test('the storage version is recorded', () => {
    const draft = created(widgetCrd());
    expect(draft.status).toEqual({ conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: ['v1'] });
    const versions = [widgetVersion({ storage: false }), widgetVersion({ name: 'v2' })];
    const update = created(widgetCrd({ versions }));
    strategy.prepareForUpdate(update, draft as Stored, context);
    expect(update.status.storedVersions).toEqual(['v1', 'v2']);
  });
});

describe('updates', () => {
  const established = {
    ...widgetCrd(),
    status: {
      ...widgetCrd().status!,
      conditions: [{ type: 'Established', status: 'True', reason: '', message: '', lastTransitionTime: '' }],
    },
  } as const;

  test('what objects are stored by cannot change', () => {
    const changed = {
      ...established,
      spec: { ...established.spec, scope: 'Cluster' as const, names: { ...established.spec.names, kind: 'Gadget' } },
    };
    expect(validateCrdUpdate(changed, established).map(errorMessage)).toEqual([
      'spec.scope: Invalid value: "Cluster": field is immutable',
      'spec.names.kind: Invalid value: "Gadget": field is immutable',
    ]);
    expect(validateCrdUpdate(changed, widgetCrd())).toEqual([]);
  });

  test('what the name is made of can never change', () => {
    const changed = widgetCrd({ group: 'other.com', names: { ...widgetCrd().spec.names, plural: 'gadgets' } });
    expect(validateCrdUpdate(changed, widgetCrd()).map(errorMessage)).toEqual([
      'spec.group: Invalid value: "other.com": field is immutable',
      'spec.names.plural: Invalid value: "gadgets": field is immutable',
    ]);
  });

  test('a version in which objects may be stored cannot go', () => {
    const changed = {
      ...widgetCrd({ versions: [widgetVersion({ name: 'v2' })] }),
      status: { ...widgetCrd().status!, storedVersions: ['v1', 'v2'] },
    };
    expect(validateCrdUpdate(changed, widgetCrd()).map(errorMessage)).toEqual([
      'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions',
    ]);
  });
});

test('formats that nothing enforces and sets that nothing merges are warned about, once', () => {
  const crd = (spec: object) =>
    created(
      widgetCrd({
        versions: [
          widgetVersion({
            schema: {
              openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { ...spec } } } },
            },
          }),
        ],
      }),
    );
  const warned = crd({
    a: { type: 'string', format: 'fancy' },
    b: { type: 'string', format: 'date-time' },
    c: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'object', 'x-kubernetes-map-type': 'atomic' } },
  });
  expect(strategy.warnings!(warned, undefined)).toEqual([
    'unrecognized format "fancy"',
    'x-kubernetes-list-type: set for items of type "object" is not supported by server-side apply or CEL validation rules',
  ]);
  expect(strategy.warnings!(warned, warned as Stored)).toEqual([]);
});
