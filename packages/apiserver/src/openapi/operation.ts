/** What can be done with a resource, as the documents list it: one entry a path and method. */
import type { ApiResource } from '../discovery/api-resource.ts';
import type { Subresource } from '../discovery/subresources.ts';
import { definitionOfKind } from './builtin-definitions.ts';
import { customDefinitionName } from './custom-definitions.ts';

export type Method = 'get' | 'put' | 'post' | 'delete' | 'patch';

export interface Operation {
  readonly path: string;
  readonly method: Method;
  /** `x-kubernetes-action`. */
  readonly action: 'list' | 'post' | 'deletecollection' | 'get' | 'put' | 'delete' | 'patch';
  readonly id: string;
  readonly tag: string;
  readonly description: string;
  readonly groupVersionKind: { readonly group: string; readonly version: string; readonly kind: string };
  /** Of the query. */
  readonly parameters: readonly string[];
  readonly body?: { readonly definition: string; readonly required: boolean; readonly types: readonly string[] };
  /** The definition of what is answered, by status code. */
  readonly answers: Readonly<Record<number, string>>;
  readonly produces: readonly string[];
}

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.';

const LIST = [
  'allowWatchBookmarks',
  'continue',
  'fieldSelector',
  'labelSelector',
  'limit',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'timeoutSeconds',
  'watch',
];
const WRITE = ['dryRun', 'fieldManager', 'fieldValidation'];
const DELETE = ['dryRun', 'gracePeriodSeconds', 'orphanDependents', 'propagationPolicy'];
const DELETE_COLLECTION = [...new Set([...LIST.filter(one => !/watch/i.test(one)), ...DELETE])].sort();

const PATCH_TYPES = ['application/apply-patch+yaml', 'application/json-patch+json', 'application/merge-patch+json'];

export function operationsOf(resource: ApiResource): Operation[] {
  const { group, version, plural, namespaced, verbs } = resource;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const everywhere = `${root}/${plural}`;
  const collection = namespaced ? `${root}/namespaces/{namespace}/${plural}` : everywhere;
  const object = `${collection}/{name}`;
  const kind = definitionName(resource, resource.kind);
  const list = definitionName(resource, resource.definition?.listKind ?? '');
  const main = operationBuilder(resource);
  const can = (verb: string): boolean => verbs.includes(verb);
  return [
    ...(can('list') && namespaced ? [main.list(everywhere, list, true)] : []),
    ...(can('list') ? [main.list(collection, list, false)] : []),
    ...(can('create') ? [main.create(collection, kind)] : []),
    ...(can('deletecollection') ? [main.deleteCollection(collection)] : []),
    ...(can('get') ? [main.read(object, kind)] : []),
    ...(can('update') ? [main.replace(object, kind)] : []),
    ...(can('delete') ? [main.remove(object, kind)] : []),
    ...(can('patch') ? [main.patch(object, kind)] : []),
    ...resource.subresources
      .filter(({ isStream }) => !isStream)
      .flatMap(sub => subresourceOperations(resource, object, sub)),
  ];
}

function subresourceOperations(resource: ApiResource, object: string, sub: Subresource): Operation[] {
  const gvk = { group: resource.group, version: resource.version, kind: resource.kind };
  const { group, version, kind } = sub.kind ?? gvk;
  const of = version === '' ? { ...resource, kind } : sub.kind ? { group, version, kind } : resource;
  const definition = definitionName(of, of.kind);
  const builder = operationBuilder(resource, sub.name, resource.definition?.custom ? gvk : { ...gvk, ...of });
  const path = `${object}/${sub.name}`;
  const can = (verb: string): boolean => sub.verbs.includes(verb);
  return [
    ...(can('get') ? [builder.read(path, definition)] : []),
    ...(can('create') ? [builder.create(path, definition)] : []),
    ...(can('update') ? [builder.replace(path, definition)] : []),
    ...(can('patch') ? [builder.patch(path, definition)] : []),
  ];
}

/** Kinds that are not known as built-in are custom. */
function definitionName(of: { group: string; version: string }, kind: string): string {
  return definitionOfKind(of.group, of.version, kind) ?? customDefinitionName(of, kind);
}

/** Operations of one resource or subresource; they differ in little but their names. */
function operationBuilder(resource: ApiResource, subresource = '', of: Operation['groupVersionKind'] = resource) {
  const { group, version, kind, namespaced } = resource;
  const custom = resource.definition?.custom ?? false;
  const words = groupWords(group);
  const tag = `${words[0]!.toLowerCase() + words.slice(1).join('')}_${version}`;
  const prefix = words.join('') + titled(version);
  const scope = namespaced ? 'Namespaced' : '';
  const suffix = titled(subresource);
  const subject = subresource === '' ? '' : `${subresource} of `;
  const plain = custom ? ['application/json', 'application/yaml'] : JSON_YAML_PROTOBUF;
  const patches = custom ? PATCH_TYPES : [...PATCH_TYPES, 'application/strategic-merge-patch+json'];
  const groupVersionKind = { group: of.group, version: of.version, kind: of.kind };
  const common = { tag, groupVersionKind, produces: plain };
  const body = (definition: string) => ({ definition, required: true, types: ['*/*'] });

  return {
    list: (path: string, definition: string, everywhere: boolean): Operation => ({
      ...common,
      path,
      method: 'get',
      action: 'list',
      id: `list${prefix}${everywhere ? '' : scope}${kind}${everywhere ? 'ForAllNamespaces' : ''}`,
      description: `list ${custom ? '' : 'or watch '}objects of kind ${kind}`,
      parameters: LIST,
      answers: { 200: definition },
      produces: custom ? plain : [...plain, 'application/json;stream=watch'],
    }),
    create: (path: string, definition: string): Operation => ({
      ...common,
      path,
      method: 'post',
      action: 'post',
      id: `create${prefix}${scope}${kind}${suffix}`,
      description: `create ${subject}${withArticle(kind)}`,
      parameters: WRITE,
      body: body(definition),
      answers: { 200: definition, 201: definition, 202: definition },
    }),
    deleteCollection: (path: string): Operation => ({
      ...common,
      path,
      method: 'delete',
      action: 'deletecollection',
      id: `delete${prefix}Collection${scope}${kind}`,
      description: `delete collection of ${kind}`,
      parameters: DELETE_COLLECTION,
      body: { ...body(`${META}DeleteOptions`), required: false },
      answers: { 200: `${META}Status` },
    }),
    read: (path: string, definition: string): Operation => ({
      ...common,
      path,
      method: 'get',
      action: 'get',
      id: `read${prefix}${scope}${kind}${suffix}`,
      description: `read ${subject}the specified ${kind}`,
      parameters: [],
      answers: { 200: definition },
    }),
    replace: (path: string, definition: string): Operation => ({
      ...common,
      path,
      method: 'put',
      action: 'put',
      id: `replace${prefix}${scope}${kind}${suffix}`,
      description: `replace ${subject}the specified ${kind}`,
      parameters: WRITE,
      body: body(definition),
      answers: { 200: definition, 201: definition },
    }),
    remove: (path: string, definition: string): Operation => ({
      ...common,
      path,
      method: 'delete',
      action: 'delete',
      id: `delete${prefix}${scope}${kind}`,
      description: `delete ${withArticle(kind)}`,
      parameters: DELETE,
      body: { ...body(`${META}DeleteOptions`), required: false },
      answers: answersOfDelete(resource, definition),
    }),
    patch: (path: string, definition: string): Operation => ({
      ...common,
      path,
      method: 'patch',
      action: 'patch',
      id: `patch${prefix}${scope}${kind}${suffix}`,
      description: `partially update ${subject}the specified ${kind}`,
      parameters: [...WRITE, 'force'],
      body: { definition: `${META}Patch`, required: true, types: patches },
      answers: custom ? { 200: definition } : { 200: definition, 201: definition },
    }),
  };
}

const JSON_YAML_PROTOBUF = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

function answersOfDelete({ group, plural }: ApiResource, definition: string): Operation['answers'] {
  const answer = RETURNS_DELETED.has(`${group}/${plural}`) ? definition : `${META}Status`;
  return { 200: answer, 202: answer };
}

/** As the request path has it: most deletions answer with a Status. */
const RETURNS_DELETED: ReadonlySet<string> = new Set([
  '/resourcequotas',
  '/persistentvolumes',
  '/serviceaccounts',
  '/persistentvolumeclaims',
  '/pods',
  '/services',
  'storage.k8s.io/storageclasses',
]);

/** `rbac.authorization.k8s.io` → `['Rbac', 'Authorization']`. */
function groupWords(group: string): string[] {
  const name = group === '' ? 'core' : group.replace(/\.k8s\.io$/, '');
  return name.split(/[.-]/).map(titled);
}

const titled = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

function withArticle(kind: string): string {
  if (/[^s]s$/.test(kind)) return kind;
  return `${/^[aeiou]/i.test(kind) ? 'an' : 'a'} ${kind}`;
}
