import { deepClone, type Json } from '@capstan/kube';
import { describe, expect, test } from 'vitest';
import { errorMessage } from '../field-error.ts';
import type { Draft, KindDefinition, Stored, StrategyContext } from '../kind.ts';
import { applyDefaults } from '../schema/defaults.ts';
import { prune } from '../schema/prune.ts';
import { widgetCrd, widgetSchema, widgetVersion } from './crd.fixture.ts';
import { kindDefinitions } from './kinds.ts';

const context = {} as StrategyContext;
const widget = (fields: Record<string, unknown> = {}): Draft => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'a', namespace: 'default' },
  ...fields,
});
const stored = (fields: Record<string, unknown> = {}): Stored => widget(fields) as Stored;
const only = (kinds: readonly KindDefinition[]): KindDefinition => kinds[0]!;
const withStatus = () =>
  only(kindDefinitions(widgetCrd({ versions: [widgetVersion({ subresources: { status: {} } })] })));

describe('the kinds of a CRD', () => {
  test('one for each served version, under the storage of the stored one', () => {
    const versions = [
      widgetVersion({ name: 'v1', storage: false }),
      widgetVersion({ name: 'v2' }),
      widgetVersion({ name: 'v3', served: false, storage: false }),
    ];
    const kinds = kindDefinitions(widgetCrd({ versions }));
    expect(
      kinds.map(({ group, version, kind, plural, storage, custom }) => ({
        group,
        version,
        kind,
        plural,
        storage,
        custom,
      })),
    ).toEqual([
      {
        group: 'example.com',
        version: 'v1',
        kind: 'Widget',
        plural: 'widgets',
        custom: true,
        storage: { group: 'example.com', plural: 'widgets', version: 'v2' },
      },
      {
        group: 'example.com',
        version: 'v2',
        kind: 'Widget',
        plural: 'widgets',
        custom: true,
        storage: { group: 'example.com', plural: 'widgets', version: 'v2' },
      },
    ]);
    expect(kinds[0]!.toStorage!(widget()).apiVersion).toBe('example.com/v2');
    expect(kinds[0]!.fromStorage!(stored({ apiVersion: 'example.com/v2' })).apiVersion).toBe('example.com/v1');
    expect(kinds[1]!.toStorage).toBeUndefined();
  });

  test('what only another version knows is not stored', () => {
    const free = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const versions = [widgetVersion({ name: 'v1' }), widgetVersion({ name: 'v2', storage: false, schema: free })];
    const [, v2] = kindDefinitions(widgetCrd({ versions }));
    const draft = widget({ apiVersion: 'example.com/v2', spec: { color: 'red', size: 3 }, extra: 1 });
    expect(v2!.toStorage!(draft)).toEqual(widget({ spec: { color: 'red' } }));
    expect(draft).toHaveProperty('extra', 1);
  });

  test('where a webhook converts, every version says so and none converts by itself', () => {
    const versions = [widgetVersion({ name: 'v1', storage: false }), widgetVersion({ name: 'v2' })];
    const kinds = kindDefinitions(widgetCrd({ versions, conversion: { strategy: 'Webhook' } }));
    expect(kinds.map(({ version }) => version)).toEqual(['v1', 'v2']);
    for (const { conversionWebhook, fromStorage, toStorage } of kinds) {
      expect([conversionWebhook?.strategy, fromStorage, toStorage]).toEqual(['Webhook', undefined, undefined]);
    }
  });

  test('names that were accepted are served, not those that are asked for', () => {
    const crd = widgetCrd();
    const acceptedNames = { plural: 'widgets', kind: 'Widget', singular: 'widget', listKind: 'Widgets' };
    const kind = only(kindDefinitions({ ...crd, status: { conditions: [], storedVersions: ['v1'], acceptedNames } }));
    expect([kind.listKind, kind.shortNames]).toEqual(['Widgets', []]);
  });

  test('type and metadata are part of the schema, and unknown metadata is pruned', () => {
    const { schema } = only(kindDefinitions(widgetCrd()));
    const draft = widget({ spec: { color: 'red', size: 3 }, extra: 1 });
    draft.metadata.nickname = 'x';
    draft.metadata.labels = { a: 'b' };
    expect(prune(draft as unknown as Json, schema)).toEqual(['metadata.nickname', 'spec.size', 'extra']);
    applyDefaults(draft as unknown as Json, schema);
    expect(draft).toEqual({
      ...widget({ spec: { color: 'red', replicas: 1 } }),
      metadata: { name: 'a', namespace: 'default', labels: { a: 'b' } },
    });
  });

  test('what the CRD says about names holds', () => {
    const base = widgetSchema({});
    const openAPIV3Schema = {
      ...base,
      properties: {
        ...base.properties,
        metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 3 } } },
      },
    };
    const { strategy } = only(
      kindDefinitions(widgetCrd({ versions: [widgetVersion({ schema: { openAPIV3Schema } })] })),
    );
    const long = widget();
    long.metadata.name = 'toolong';
    expect(strategy.validate(long).map(errorMessage)).toEqual([
      'metadata.name: Too long: may not be more than 3 bytes',
    ]);
  });

  test('selectable fields read as text', () => {
    const versions = [
      widgetVersion({ selectableFields: [{ jsonPath: '.spec.color' }, { jsonPath: '.spec.replicas' }] }),
    ];
    const fields = only(kindDefinitions(widgetCrd({ versions }))).selectableFields;
    const object = stored({ spec: { replicas: 3 } });
    expect(Object.fromEntries(Object.entries(fields).map(([path, read]) => [path, read(object)]))).toEqual({
      'spec.color': '',
      'spec.replicas': '3',
    });
  });

  test('columns are data; a version may have none', () => {
    const columns = [{ name: 'Color', type: 'string', jsonPath: '.spec.color' }];
    const versions = [
      widgetVersion({ additionalPrinterColumns: columns }),
      widgetVersion({ name: 'v2', storage: false }),
    ];
    expect(kindDefinitions(widgetCrd({ versions })).map(kind => kind.columns)).toEqual([columns, undefined]);
  });
});

describe('writing custom resources', () => {
  test('with the status subresource, only /status writes status', () => {
    const { strategy } = withStatus();
    const created = widget({ status: { x: 1 } });
    strategy.prepareForCreate(created, context);
    expect(created).not.toHaveProperty('status');

    const old = stored({ spec: { color: 'red' }, status: { x: 1 } });
    const updated = widget({ spec: { color: 'blue' }, status: { x: 2 } });
    strategy.prepareForUpdate(updated, old, context);
    expect(updated).toMatchObject({ spec: { color: 'blue' }, status: { x: 1 } });

    const status = widget({ spec: { color: 'green' }, status: { x: 3 }, other: 1 });
    status.metadata.labels = { a: 'b' };
    status.metadata.managedFields = [{ manager: 'me' }];
    strategy.prepareForStatusUpdate(status, old, context);
    expect(status).toEqual({
      ...deepClone(old),
      status: { x: 3 },
      metadata: { ...old.metadata, managedFields: [{ manager: 'me' }] },
    });
    expect(strategy.resetFields('')).toEqual([['status']]);
    expect(strategy.resetFields('status')).toEqual([['metadata'], ['spec']]);
  });

  test('without it, status is a field like any other', () => {
    const { strategy, subresources } = only(kindDefinitions(widgetCrd()));
    const draft = widget({ status: { x: 2 } });
    strategy.prepareForCreate(draft, context);
    strategy.prepareForUpdate(draft, stored({ status: { x: 1 } }), context);
    expect(draft.status).toEqual({ x: 2 });
    expect(subresources).toEqual({});
    expect(strategy.resetFields('')).toEqual([]);
  });

  test('updates need a version, and create nothing', () => {
    const { strategy } = withStatus();
    expect([strategy.allowsUnconditionalUpdate, strategy.allowsCreateOnUpdate, strategy.tracksGeneration]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('invalid objects are refused; what was invalid before may stay', () => {
    const { strategy } = withStatus();
    const bad = widget({ spec: { color: 3 } });
    expect(strategy.validate(bad).map(errorMessage)).toEqual([
      'spec.color: Invalid value: "integer": spec.color in body must be of type string: "integer"',
    ]);
    expect(strategy.validateUpdate(bad, stored({ spec: { color: 3 } }))).toEqual([]);
  });

  test('status updates look at status alone', () => {
    const base = widgetSchema({ color: { type: 'string' } });
    const openAPIV3Schema = {
      ...base,
      properties: { ...base.properties, status: { type: 'object', properties: { ready: { type: 'boolean' } } } },
    };
    const versions = [widgetVersion({ schema: { openAPIV3Schema }, subresources: { status: {} } })];
    const { strategy } = only(kindDefinitions(widgetCrd({ versions })));
    const draft = widget({ spec: { color: 3 }, status: { ready: 'yes' } });
    expect(strategy.validateStatusUpdate(draft, stored({ spec: { color: 3 } })).map(errorMessage)[0]).toBe(
      'status.ready: Invalid value: "string": ready in body must be of type boolean: "string"',
    );
  });

  test('replicas that the scale subresource cannot serve are refused', () => {
    const scale = {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.status.selector',
    };
    const kind = only(kindDefinitions(widgetCrd({ versions: [widgetVersion({ subresources: { scale } })] })));
    expect(kind.subresources.scale).toEqual({
      specReplicasPath: 'spec.replicas',
      statusReplicasPath: 'status.replicas',
      labelSelectorPath: 'status.selector',
    });
    expect(
      kind.strategy
        .validate(widget({ spec: { replicas: -1 }, status: { replicas: 'x', selector: 5 } }))
        .map(errorMessage),
    ).toEqual([
      '.spec.replicas: Invalid value: -1: should be a non-negative integer',
      '.status.replicas: Invalid value: 0: .status.replicas accessor error: x is of the type string, expected int64',
      '.status.selector: Invalid value: "": .status.selector accessor error: 5 is of the type int64, expected string',
    ]);
  });

  test('finalizers without a domain are warned about when they are new', () => {
    const { strategy } = withStatus();
    const draft = widget();
    draft.metadata.finalizers = ['foregroundDeletion', 'mine', 'example.com/x', 'example.com'];
    const old = stored();
    expect(strategy.warnings!(draft, old)).toEqual([
      'metadata.finalizers: "example.com": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers',
      'metadata.finalizers: "mine": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
    ]);
    expect(strategy.warnings!(draft, draft as Stored)).toEqual([]);
  });
});
