/** A small CRD for tests, complete and valid. */
import type { CrdSpec, CrdVersion, CustomResourceDefinition, JsonSchema } from './types.ts';

export function widgetVersion(changes: Partial<CrdVersion> = {}): CrdVersion {
  return {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: widgetSchema({ replicas: { type: 'integer', default: 1 }, color: { type: 'string' } }) },
    ...changes,
  };
}

/** An object whose `spec` has these properties, and a free `status`. */
export function widgetSchema(spec: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: spec },
      status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  };
}

export function widgetCrd(changes: Partial<CrdSpec> = {}): CustomResourceDefinition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList', shortNames: ['wd'] },
      versions: [widgetVersion()],
      conversion: { strategy: 'None' },
      ...changes,
    },
    status: { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: ['v1'] },
  };
}
