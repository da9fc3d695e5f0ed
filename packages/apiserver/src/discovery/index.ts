/** What the API says about itself: its version and health, and which resources it has. */
import { type Answer, value } from '../answer.ts';
import { documentAnswer, hashOf } from '../document.ts';
import type { Kinds } from '../kinds.ts';
import { nothingIn } from '../not-found.ts';
import type { ServerRequest } from '../request.ts';
import { methodNotAllowed } from '../status.ts';
import { aggregatedType, groupDiscoveryList, wantedVersion } from './aggregated.ts';
import { type ApiGroup, apiGroups } from './groups.ts';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './plain.ts';
import { serverVersion } from './server-version.ts';

/** Undefined when the path is none of these. */
export function handleDiscovery(kinds: Kinds, request: ServerRequest): Answer | undefined {
  const path = request.path.replace(/\/+$/, '') || '/';
  const answer = serverAnswer(kinds, path) ?? resourcesAnswer(kinds, path, request);
  if (answer && request.method !== 'GET') throw methodNotAllowed();
  return answer;
}

function serverAnswer(kinds: Kinds, path: string): Answer | undefined {
  switch (path) {
    case '/version':
      return value(serverVersion());
    case '/healthz':
    case '/livez':
    case '/readyz':
      return { kind: 'text', status: 200, type: 'text/plain; charset=utf-8', text: 'ok' };
    case '/':
      return value({ paths: pathsOf(apiGroups(kinds.all())) });
    default:
      return undefined;
  }
}

/** What there is besides resources, whoever answers it. */
const SERVER_PATHS = [
  ...['/.well-known/openid-configuration', '/apis', '/healthz', '/livez', '/metrics', '/openapi/v2', '/openapi/v3'],
  ...['/openid/v1/jwks', '/readyz', '/version'],
];

function pathsOf(groups: readonly ApiGroup[]): string[] {
  const below = groups.flatMap(({ name, versions }) => {
    const root = name === '' ? '/api' : `/apis/${name}`;
    return [root, ...versions.map(version => `${root}/${version.name}`)];
  });
  return [...below, ...SERVER_PATHS].sort();
}

function resourcesAnswer(kinds: Kinds, path: string, request: ServerRequest): Answer | undefined {
  const [, root, ...parts] = path.split('/');
  if ((root !== 'api' && root !== 'apis') || parts.length > 2) return undefined;
  const groups = apiGroups(kinds.all());
  const [core, ...others] = groups as [ApiGroup, ...ApiGroup[]];
  if (parts.length === 0) {
    const shown = root === 'api' ? [core] : others;
    return aggregated(shown, request) ?? value(root === 'api' ? apiVersions(core) : apiGroupList(others));
  }
  if (root === 'api' && parts.length > 1) return undefined;
  const [groupName, versionName] = root === 'api' ? ['', parts[0]!] : (parts as [string, string?]);
  const group = groups.find(one => one.name === groupName);
  if (group === undefined) return nothingIn(kinds, groupName);
  if (versionName === undefined) return value(apiGroup(group));
  const version = group.versions.find(one => one.name === versionName);
  return version === undefined ? nothingIn(kinds, groupName) : value(apiResourceList(groupName, version));
}

/** The aggregated form of these groups, where the client asks for it. */
function aggregated(groups: readonly ApiGroup[], request: ServerRequest): Answer | undefined {
  const version = wantedVersion(request.headers['accept']);
  if (version === undefined) return undefined;
  const bytes = Buffer.from(JSON.stringify(groupDiscoveryList(groups, version)));
  const document = { type: aggregatedType(version), bytes, hash: hashOf(bytes) };
  return documentAnswer(request, document, { 'cache-control': 'public' });
}
