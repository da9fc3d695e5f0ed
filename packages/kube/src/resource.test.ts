import { describe, expect, it } from 'vitest';
import { deployments } from './kinds/apps.ts';
import { namespaces, pods } from './kinds/core.ts';
import { apiVersionOf, collectionPath, metadataOnly, objectPath, resourcePath } from './resource.ts';

describe('where objects live', () => {
  it('has one form for the core group and one for the others', () => {
    expect(apiVersionOf(pods)).toBe('v1');
    expect(apiVersionOf(deployments)).toBe('apps/v1');
    expect(resourcePath(pods)).toBe('/api/v1/pods');
    expect(resourcePath(deployments, { namespace: 'a', name: 'b', subresource: 'scale' })).toBe(
      '/apis/apps/v1/namespaces/a/deployments/b/scale',
    );
  });

  it('leaves out the namespace of kinds that have none', () => {
    expect(objectPath(namespaces, { namespace: 'ignored', name: 'a' })).toBe('/api/v1/namespaces/a');
  });

  it('takes an empty namespace for all of them', () => {
    expect(collectionPath(pods, '')).toBe('/api/v1/pods');
    expect(collectionPath(pods, 'a')).toBe('/api/v1/namespaces/a/pods');
  });

  it('escapes what needs it', () => {
    expect(resourcePath(pods, { namespace: 'a', name: 'ü?#' })).toBe('/api/v1/namespaces/a/pods/%C3%BC%3F%23');
  });

  it('is the same for metadata alone', () => {
    expect(resourcePath(metadataOnly(pods), { namespace: 'a' })).toBe('/api/v1/namespaces/a/pods');
  });
});
