/** What can be wrong with a CRD apart from its schema. */

import { widgetCrd, widgetVersion } from './crd.fixture.ts';
import { type CrdCase, LABEL, named, withNames, withVersion } from './crd-case.fixture.ts';

export const DEFINITION_CASES: readonly CrdCase[] = [
  named('valid', widgetCrd()),
  named(
    'a name that is not made of plural and group',
    { ...widgetCrd(), metadata: { name: 'gadgets.example.com' } },
    'metadata.name: Invalid value: "gadgets.example.com": must be spec.names.plural+"."+spec.group',
  ),
  named(
    'a group that is no domain',
    { ...widgetCrd({ group: 'example' }), metadata: { name: 'widgets.example' } },
    'spec.group: Invalid value: "example": should be a domain with at least one dot',
  ),
  named(
    'an unknown scope',
    widgetCrd({ scope: 'World' as 'Cluster' }),
    'spec.scope: Unsupported value: "World": supported values: "Cluster", "Namespaced"',
  ),
  named(
    'a singular that is no label',
    withNames({ singular: 'Widget' }),
    `spec.names.singular: Invalid value: "Widget": ${LABEL}`,
  ),
  named(
    'a kind that is no label',
    withNames({ kind: 'Wid get' }),
    `spec.names.kind: Invalid value: "Wid get": may have mixed case, but should otherwise match: ${LABEL}`,
  ),
  named(
    'a list kind that is the kind',
    withNames({ listKind: 'Widget' }),
    'spec.names.listKind: Invalid value: "Widget": kind and listKind may not be the same',
  ),
  named(
    'a short name that is no label',
    withNames({ shortNames: ['W'] }),
    `spec.names.shortNames[0]: Invalid value: "W": ${LABEL}`,
  ),
  named(
    'a category that is no label',
    withNames({ categories: ['W'] }),
    `spec.names.categories[0]: Invalid value: "W": ${LABEL}`,
  ),
  named(
    'no storage version',
    withVersion({ storage: false }),
    'spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":false,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]: must have exactly one version marked as storage version',
    'status.storedVersions: Invalid value: null: must have at least one stored version',
  ),
  named(
    'a version twice',
    widgetCrd({ versions: [widgetVersion(), widgetVersion({ storage: false })] }),
    'spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null},{"Name":"v1","Served":true,"Storage":false,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]: must contain unique version names',
  ),
  named(
    'a version name that is no label',
    { ...withVersion({ name: '1' }) },
    `spec.versions[0].name: Invalid value: "1": ${LABEL}`,
    `spec.version: Invalid value: "1": ${LABEL}`,
  ),
  named('no schema', withVersion({ schema: {} }), 'spec.versions[0].schema.openAPIV3Schema: Required value'),
  named(
    'a deprecation warning for a version that is not deprecated',
    withVersion({ deprecationWarning: 'old' }),
    'spec.versions[0].deprecationWarning: Invalid value: "old": can only be set for deprecated versions',
  ),
  named(
    'preserveUnknownFields',
    widgetCrd({ preserveUnknownFields: true }),
    'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
    'spec.preserveUnknownFields: Invalid value: true: must be false in order to use defaults in the schema',
  ),

  named(
    'a column without a type',
    withVersion({ additionalPrinterColumns: [{ name: 'a', type: 'text', jsonPath: 'spec' }] }),
    'spec.additionalPrinterColumns[0].type: Invalid value: "text": must be one of boolean,date,integer,number,string',
    'spec.additionalPrinterColumns[0].JSONPath: Invalid value: "spec": must be a simple json path starting with .',
  ),
  named(
    'a column format',
    withVersion({ additionalPrinterColumns: [{ name: 'a', type: 'string', format: 'x', jsonPath: '.spec' }] }),
    'spec.additionalPrinterColumns[0].format: Invalid value: "x": must be one of byte,date,date-time,double,float,int32,int64,password',
  ),
  named(
    'scale paths in the wrong place',
    withVersion({
      subresources: {
        scale: {
          specReplicasPath: '.status.replicas',
          statusReplicasPath: 'status.replicas',
          labelSelectorPath: '.metadata.x',
        },
      },
    }),
    'spec.subresources.scale.specReplicasPath: Invalid value: ".status.replicas": should be a json path under .spec',
    'spec.subresources.scale.statusReplicasPath: Invalid value: "status.replicas": must be a simple json path starting with .',
    'spec.subresources.scale.labelSelectorPath: Invalid value: ".metadata.x": should be a json path under either .spec or .status',
  ),
  named(
    'selectable fields that are not there or no scalars',
    withVersion({
      selectableFields: [
        { jsonPath: '.spec.size' },
        { jsonPath: '.spec' },
        { jsonPath: '.spec.color' },
        { jsonPath: '.spec.color' },
        { jsonPath: 'spec' },
        { jsonPath: ".spec['color']" },
      ],
    }),
    'spec.selectableFields[0].jsonPath: Invalid value: ".spec.size": is an invalid path: does not refer to a valid field',
    'spec.selectableFields[1].jsonPath: Invalid value: ".spec": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
    'spec.selectableFields[3].jsonPath: Duplicate value: ".spec.color"',
    'spec.selectableFields[4].jsonPath: Invalid value: "spec": is an invalid path: expected [ or . but got: spec',
    `spec.selectableFields[5].jsonPath: Invalid value: ".spec['color']": is an invalid path: array notation is not allowed`,
  ),

  named(
    'an unknown conversion',
    widgetCrd({ conversion: { strategy: 'Magic' } }),
    'spec.conversion.strategy: Unsupported value: "Magic": supported values: "None", "Webhook"',
  ),
  named(
    'a webhook that is not described',
    widgetCrd({ conversion: { strategy: 'Webhook' } }),
    'spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook',
    'spec.conversion.conversionReviewVersions: Required value',
  ),
  named(
    'a webhook without TLS',
    widgetCrd({
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: { url: 'http://a.example/x?y=z#f' }, conversionReviewVersions: ['v9', 'v9'] },
      },
    }),
    `spec.conversion.webhookClientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]`,
    'spec.conversion.webhookClientConfig.url: Invalid value: "f": fragments are not permitted in the URL',
    'spec.conversion.webhookClientConfig.url: Invalid value: "y=z": query parameters are not permitted in the URL',
    'spec.conversion.conversionReviewVersions[1]: Invalid value: "v9": duplicate version',
    'spec.conversion.conversionReviewVersions: Invalid value: ["v9","v9"]: must include at least one of v1, v1beta1',
  ),
  named(
    'a webhook behind a service with a broken path',
    widgetCrd({
      conversion: {
        strategy: 'Webhook',
        webhook: {
          clientConfig: { service: { name: 'a', namespace: 'b', port: 70000, path: 'x//y' } },
          conversionReviewVersions: ['v1'],
        },
      },
    }),
    'spec.conversion.webhookClientConfig.service.port: Invalid value: 70000: port is not valid: must be between 1 and 65535, inclusive',
    `spec.conversion.webhookClientConfig.service.path: Invalid value: "x//y": must start with a '/'`,
    'spec.conversion.webhookClientConfig.service.path: Invalid value: "x//y": segment[0] may not be empty',
    'spec.conversion.webhookClientConfig.service.path: Invalid value: "x//y": segment[1] may not be empty',
  ),
  named(
    'a webhook that is not used',
    widgetCrd({
      conversion: {
        strategy: 'None',
        webhook: { clientConfig: { url: 'https://a' }, conversionReviewVersions: ['v1'] },
      },
    }),
    'spec.conversion.webhookClientConfig: Forbidden: should not be set when strategy is not set to Webhook',
    'spec.conversion.conversionReviewVersions: Forbidden: should not be set when strategy is not set to Webhook',
  ),
];
