/** From the text of a manifest to the objects in it. */
import { parseYaml, toHost } from '@capstan/gotemplate';
import type { DynamicObject } from '@capstan/kube';
import { messageOf, ReleaseError } from '../release/errors.ts';

const SEPARATOR = /^---[ \t]*(?:#.*)?$/m;
const SOURCE = /^# Source: (.+)$/m;

/** An object to be written, and the template that it came from. */
export interface ManifestObject {
  readonly object: DynamicObject;
  /** `shop/templates/service.yaml`; empty where the text does not say. */
  readonly source: string;
}

/** The objects of a manifest, in its order; the items of lists stand for themselves, as with kubectl. */
export function parseManifest(text: string): ManifestObject[] {
  return text.split(SEPARATOR).flatMap(document => {
    const source = SOURCE.exec(document)?.[1]?.trim() ?? '';
    return objectsOf(document, source).map(object => ({ object, source }));
  });
}

function objectsOf(document: string, source: string): DynamicObject[] {
  const where = source === '' ? 'the manifest' : source;
  let value: unknown;
  try {
    value = toHost(parseYaml(document));
  } catch (error) {
    throw new ReleaseError('BadManifest', `${where}: ${messageOf(error)}`, { cause: error });
  }
  if (value === null) return [];
  if (!isObject(value)) throw new ReleaseError('BadManifest', `${where}: an object needs apiVersion and kind`);
  if (value.kind.endsWith('List') && Array.isArray(value['items'])) {
    return value['items'].map(item => {
      if (isObject(item)) return item;
      throw new ReleaseError('BadManifest', `${where}: an item of ${value.kind} has no apiVersion or no kind`);
    });
  }
  return [value];
}

function isObject(value: unknown): value is DynamicObject {
  const object = value as Partial<DynamicObject> | null;
  return typeof object === 'object' && typeof object?.apiVersion === 'string' && typeof object.kind === 'string';
}
