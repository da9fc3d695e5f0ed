/** What the API says about itself. */
import { apiVersionOf } from '@capstan/kube';
import { type Answer, value } from './answer.ts';
import { kubernetesVersion } from './builtins/index.ts';
import type { KindDefinition } from './kind.ts';
import { nothingIn } from './not-found.ts';
import type { ServerRequest } from './request.ts';
import type { Backend } from './resource-handler.ts';
import { methodNotAllowed } from './status.ts';
import { newestFirst } from './version-order.ts';

/** Undefined when the path is none of these. */
export function handleDiscovery(backend: Backend, request: ServerRequest): Answer | undefined {
  const path = request.path.replace(/\/+$/, '') || '/';
  const answer = answerTo(backend, path);
  if (answer && request.method !== 'GET') throw methodNotAllowed();
  return answer;
}

function answerTo(backend: Backend, path: string): Answer | undefined {
  switch (path) {
    case '/version':
      return value(version());
    case '/healthz':
    case '/livez':
    case '/readyz':
      return { kind: 'text', status: 200, type: 'text/plain; charset=utf-8', text: 'ok' };
    case '/api':
      return value({ kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] });
    case '/apis':
      return value({ kind: 'APIGroupList', apiVersion: 'v1', groups: groups(backend) });
    case '/':
      return value({ paths: ['/api', '/apis', '/healthz', '/livez', '/readyz', '/version'] });
  }
  const [, root, group = '', versionPart] = path.split('/');
  if (root === 'api' && versionPart === undefined) return resources(backend, '', group);
  if (root !== 'apis') return undefined;
  if (versionPart === undefined) {
    const found = groups(backend).find(one => one.name === group);
    if (!found) return nothingIn(backend.kinds, group);
    return value({ kind: 'APIGroup', apiVersion: 'v1', ...found });
  }
  return path.split('/').length === 4 ? resources(backend, group, versionPart) : undefined;
}

function version() {
  const [major, minor] = kubernetesVersion().replace(/^v/, '').split('.');
  return {
    major,
    minor,
    gitVersion: `${kubernetesVersion()}+capstan`,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: 'none',
    compiler: 'none',
    platform: `${process.platform}/${process.arch}`,
  };
}

function groups({ kinds }: Backend) {
  const versions = new Map<string, Set<string>>();
  for (const kind of kinds.all()) {
    if (kind.group === '') continue;
    if (!versions.has(kind.group)) versions.set(kind.group, new Set());
    versions.get(kind.group)!.add(kind.version);
  }
  return [...versions].map(([name, found]) => {
    const list = [...found].sort(newestFirst).map(one => ({ groupVersion: `${name}/${one}`, version: one }));
    return { name, versions: list, preferredVersion: list[0]! };
  });
}

function resources({ kinds }: Backend, group: string, wanted: string): Answer {
  const list = [...kinds.all()].filter(kind => kind.group === group && kind.version === wanted);
  if (list.length === 0) return nothingIn(kinds, group);
  return value({
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: apiVersionOf({ group, version: wanted }),
    resources: list.flatMap(resourceEntries),
  });
}

function resourceEntries(kind: KindDefinition): object[] {
  const main = {
    name: kind.plural,
    singularName: kind.singular,
    namespaced: kind.namespaced,
    kind: kind.kind,
    verbs: kind.verbs,
    ...(kind.shortNames.length > 0 && { shortNames: kind.shortNames }),
    ...(kind.categories.length > 0 && { categories: kind.categories }),
  };
  const verbs = ['get', 'patch', 'update'];
  const sub = (name: string, extra: object): object => ({
    name: `${kind.plural}/${name}`,
    singularName: '',
    namespaced: kind.namespaced,
    kind: kind.kind,
    verbs,
    ...extra,
  });
  return [
    main,
    ...(kind.subresources.status ? [sub('status', {})] : []),
    ...(kind.subresources.scale ? [sub('scale', { group: 'autoscaling', version: 'v1', kind: 'Scale' })] : []),
  ];
}
