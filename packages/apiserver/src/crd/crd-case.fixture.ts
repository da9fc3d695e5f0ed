/** How CRDs that are refused are written down, and with which words. */
import { widgetCrd, widgetSchema, widgetVersion } from './crd.fixture.ts';
import type { CrdVersion, CustomResourceDefinition, JsonSchema } from './types.ts';

export interface CrdCase {
  readonly name: string;
  readonly crd: CustomResourceDefinition;
  /** In any order: Kubernetes walks maps, whose order is random. */
  readonly messages: readonly string[];
}

export const root = 'spec.validation.openAPIV3Schema';
export const x = `${root}.properties[spec].properties[x]`;

export const named = (name: string, crd: CustomResourceDefinition, ...messages: string[]): CrdCase => ({
  name,
  crd,
  messages,
});
export const withVersion = (changes: Partial<CrdVersion>): CustomResourceDefinition =>
  widgetCrd({ versions: [widgetVersion(changes)] });
export const withRoot = (changes: JsonSchema, version: Partial<CrdVersion> = {}): CustomResourceDefinition =>
  withVersion({ schema: { openAPIV3Schema: { ...widgetSchema({}), ...changes } }, ...version });
export const withField = (field: JsonSchema): CustomResourceDefinition =>
  withVersion({ schema: { openAPIV3Schema: widgetSchema({ x: field }) } });
export const withNames = (changes: object): CustomResourceDefinition =>
  widgetCrd({ names: { ...widgetCrd().spec.names, ...changes } });

export const LABEL =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
