import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Answer } from '../answer.ts';
import { kindDefinitions } from '../crd/index.ts';
import { Kinds } from '../kinds.ts';
import type { ServerRequest } from '../request.ts';
import { aggregatedType } from './aggregated.ts';
import { handleDiscovery } from './index.ts';

const read = (url: string) => JSON.parse(readFileSync(new URL(url, import.meta.url), 'utf8'));

/** Answers of Kubernetes 1.37 with the definition of Widgets. */
const recorded = read('./fixtures/discovery.json');

/** Kinds of Kubernetes that this server does not have. */
const NOT_SERVED = new Set([
  'v1 componentstatuses',
  'v1 podtemplates',
  'v1 replicationcontrollers',
  'networking.k8s.io/v1 ingressclasses',
  'networking.k8s.io/v1 ipaddresses',
  'networking.k8s.io/v1 servicecidrs',
  'storage.k8s.io/v1 csidrivers',
  'storage.k8s.io/v1 csinodes',
  'storage.k8s.io/v1 csistoragecapacities',
  'storage.k8s.io/v1 volumeattachments',
  'storage.k8s.io/v1 volumeattributesclasses',
  'admissionregistration.k8s.io/v1 mutatingadmissionpolicies',
  'admissionregistration.k8s.io/v1 mutatingadmissionpolicybindings',
  'admissionregistration.k8s.io/v1 validatingadmissionpolicies',
  'admissionregistration.k8s.io/v1 validatingadmissionpolicybindings',
]);

const kinds = new Kinds();
kinds.serve('widgets.stable.example.com', kindDefinitions(read('../openapi/fixtures/widget.json').crd));

function get(path: string, headers: ServerRequest['headers'] = {}): Answer | undefined {
  return handleDiscovery(kinds, {
    method: 'GET',
    path,
    query: new URLSearchParams(),
    headers,
    body: { kind: 'none' },
    user: { name: 'anyone', groups: [] },
    signal: new AbortController().signal,
  });
}

function contentOf(answer: Answer | undefined): unknown {
  if (answer?.kind === 'value') return JSON.parse(JSON.stringify(answer.value));
  if (answer?.kind === 'document') return JSON.parse(answer.bytes.toString());
  throw new Error(`neither a value nor a document: ${JSON.stringify(answer)}`);
}

interface DiscoveryList {
  readonly items: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions: readonly {
      readonly version: string;
      readonly resources: readonly { readonly resource: string }[];
    }[];
  }[];
}

/** Without what is not served. */
function comparable({ items }: DiscoveryList): unknown[] {
  return items.map(({ metadata, versions }) => ({
    metadata,
    versions: versions.map(({ version, resources, ...rest }) => {
      const apiVersion = metadata.name === undefined ? version : `${metadata.name}/${version}`;
      const served = resources.filter(({ resource }) => !NOT_SERVED.has(`${apiVersion} ${resource}`));
      return { ...rest, version, resources: served };
    }),
  }));
}

describe('aggregated discovery', () => {
  const accept = `${aggregatedType('v2')},${aggregatedType('v2beta1')},application/json`;

  test('of the core group is that of Kubernetes', () => {
    expect(comparable(contentOf(get('/api', { accept })) as DiscoveryList)).toEqual(comparable(recorded.core));
  });

  test('of all other groups is that of Kubernetes, in its order', () => {
    expect(comparable(contentOf(get('/apis', { accept })) as DiscoveryList)).toEqual(comparable(recorded.groups));
  });

  test('says its form, and may be kept while it stays the same', () => {
    const first = get('/apis', { accept });
    expect(first).toMatchObject({ kind: 'document', status: 200, type: aggregatedType('v2') });
    const { headers } = first as Extract<Answer, { kind: 'document' }>;
    expect(get('/apis', { accept, 'if-none-match': headers['etag'] })).toMatchObject({ status: 304 });
  });

  test('comes in the older form for clients that know no other', () => {
    const older = get('/apis', { accept: `${aggregatedType('v2beta1')},application/json` });
    expect(contentOf(older)).toMatchObject({ apiVersion: 'apidiscovery.k8s.io/v2beta1' });
  });

  test('is for those who ask: others get the plain lists', () => {
    expect(contentOf(get('/apis', { accept: '*/*' }))).toMatchObject({ kind: 'APIGroupList' });
    expect(contentOf(get('/api'))).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
    const unknown = 'application/json;g=apidiscovery.k8s.io;v=v9;as=APIGroupDiscoveryList, application/json';
    expect(contentOf(get('/apis', { accept: unknown }))).toMatchObject({ kind: 'APIGroupList' });
  });
});

describe('plain discovery', () => {
  const served = (path: string) => {
    const { resources, ...rest } = recorded.plain[path];
    const [apiVersion] = [rest.groupVersion];
    const isServed = ({ name }: { name: string }) => !NOT_SERVED.has(`${apiVersion} ${name.split('/')[0]}`);
    return resources ? { ...rest, resources: resources.filter(isServed) } : rest;
  };

  test.each(Object.keys(recorded.plain))('of %s is that of Kubernetes', path => {
    expect(contentOf(get(path))).toEqual(served(path));
  });

  test('prefers the newest stable version of a group', () => {
    expect(contentOf(get('/apis/autoscaling'))).toMatchObject({ preferredVersion: { version: 'v2' } });
  });

  test('lists what is only asked, never stored', () => {
    const { resources } = contentOf(get('/apis/authorization.k8s.io/v1')) as { resources: { name: string }[] };
    expect(resources.map(({ name }) => name)).toContain('selfsubjectaccessreviews');
  });

  test('knows nothing of other groups and versions', () => {
    expect(get('/apis/example.org')).toMatchObject({ kind: 'text', status: 404 });
    expect(() => get('/apis/apps/v2')).toThrow('the server could not find the requested resource');
  });
});
