/** Webhooks and custom resources: versions, subresources, what a schema does not know. */
import type { Scenario } from './scenario.fixture.ts';
import { MERGE, rule } from './scenario-words.fixture.ts';

const WIDGETS = '/apis/hooks.example.com';
const widgetDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.hooks.example.com' },
  spec: {
    group: 'hooks.example.com',
    names: { plural: 'widgets', kind: 'Widget' },
    scope: 'Namespaced',
    versions: ['v1', 'v2'].map((name, index) => ({
      name,
      served: true,
      storage: index === 0,
      subresources: {
        status: {},
        scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
      },
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            spec: {
              type: 'object',
              properties: {
                size: { type: 'integer', maximum: 10 },
                color: { type: 'string', default: 'red' },
                replicas: { type: 'integer' },
              },
            },
            status: { type: 'object', properties: { phase: { type: 'string' }, replicas: { type: 'integer' } } },
          },
        },
      },
    })),
  },
};
const widget = (name: string, version: string, spec: object = { size: 1 }) => ({
  apiVersion: `hooks.example.com/${version}`,
  kind: 'Widget',
  metadata: { name },
  spec,
});
const widgets = (version: string): string => `${WIDGETS}/${version}/namespaces/$ns/widgets`;
const onWidgets = (versions = ['*'], resources = ['widgets']) =>
  rule(resources, ['hooks.example.com'], ['*'], versions);

export const CUSTOM: readonly Scenario[] = [
  {
    name: 'widgets',
    setUp: [
      { request: 'POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions', body: widgetDefinition },
      { request: `POST ${widgets('v1')}`, body: widget('there', 'v1') },
    ],
    webhooks: [
      { type: 'mutating', does: '/allow', ...onWidgets(['v2']) },
      { type: 'validating', does: '/allow', ...onWidgets(['v2']) },
    ],
    steps: [
      { request: `POST ${widgets('v1')}`, body: widget('one', 'v1') },
      { request: `PATCH ${widgets('v1')}/there`, body: { spec: { size: 2 } }, contentType: MERGE },
      { request: `POST ${widgets('v2')}`, body: widget('two', 'v2', { size: 11 }) },
      { request: `DELETE ${widgets('v1')}/there` },
    ],
  },
  {
    name: 'widget-patches',
    webhooks: [{ type: 'mutating', does: '/add-unknown-spec', ...onWidgets() }],
    steps: [
      { request: `POST ${widgets('v1')}`, body: widget('one', 'v1') },
      { request: `PATCH ${widgets('v2')}/one`, body: { spec: { size: 2 } }, contentType: MERGE },
    ],
  },
  {
    name: 'widget-versions',
    webhooks: [{ type: 'mutating', does: '/add-unknown-spec', ...onWidgets(['v2']) }],
    steps: [
      { request: `POST ${widgets('v1')}`, body: widget('one', 'v1') },
      { request: `POST ${widgets('v2')}`, body: widget('two', 'v2') },
    ],
  },
  {
    name: 'widget-subresources',
    setUp: [{ request: `POST ${widgets('v1')}`, body: widget('one', 'v1', { size: 1, replicas: 1 }) }],
    webhooks: [
      { type: 'mutating', does: '/allow', ...onWidgets(['*'], ['widgets/status', 'widgets/scale']) },
      { type: 'validating', does: '/allow', ...onWidgets(['*'], ['*/*']) },
    ],
    steps: [
      { request: `PATCH ${widgets('v1')}/one/status`, body: { status: { phase: 'Done' } }, contentType: MERGE },
      { request: `PATCH ${widgets('v2')}/one/scale`, body: { spec: { replicas: 3 } }, contentType: MERGE },
    ],
  },
];
