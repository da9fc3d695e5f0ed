/** A kind of somebody else's, for tests of what works for every kind. */
import { type CustomResourceDefinition, type DynamicObject, type NewObject, resource } from '@capstan/kube';

export const widgets = resource<DynamicObject>({
  group: 'example.io',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  namespaced: true,
});

export const widgetsDefinition: NewObject<CustomResourceDefinition> = {
  metadata: { name: 'widgets.example.io' },
  spec: {
    group: 'example.io',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};
