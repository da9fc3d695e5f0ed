/** Small objects that many scripts start from. Labels and names are the script's to choose. */

export function configMap(name: string, data: Readonly<Record<string, string>> = {}, metadata: object = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data };
}

export function deployment(name: string, spec: object = {}): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { selector: { matchLabels: { app: name } }, template: podTemplate(name), ...spec },
  };
}

export function podTemplate(app: string, spec: object = {}): object {
  return { metadata: { labels: { app } }, spec: { containers: [{ name: 'main', image: 'example/main:1' }], ...spec } };
}

export function pod(name: string, spec: object = {}, metadata: object = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...metadata },
    spec: { containers: [{ name: 'main', image: 'example/main:1' }], ...spec },
  };
}

/**
 * A CustomResourceDefinition `<plural>.<group>` with one version `v1`.
 *
 * Every script has a group of its own, because definitions do not live in a Namespace.
 */
export function crd(group: string, kind: string, version: object, spec: object = {}): object {
  const plural = `${kind.toLowerCase()}s`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [{ name: 'v1', served: true, storage: true, ...version }],
      ...spec,
    },
  };
}

/** The schema of a version whose `spec` has these properties. */
export function specSchema(properties: object, rest: object = {}): { schema: object } {
  return {
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: { spec: { type: 'object', properties, ...rest }, status: anything },
      },
    },
  };
}

export const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
