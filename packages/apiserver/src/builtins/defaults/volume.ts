/** What Kubernetes fills in for the volumes of a Pod. */
import { fill, listOf, type Tree } from '../tree.ts';
import { defaultFieldSelector, imageTag } from './container.ts';

const READABLE_BY_ALL = 0o644;
const ONE_HOUR = 3600;

/** Sources whose files have a mode. */
const WITH_MODE = ['secret', 'configMap', 'downwardAPI', 'projected'];

export function defaultVolume(volume: Tree): void {
  const sources = Object.keys(volume).filter(field => field !== 'name');
  if (sources.length === 0) volume['emptyDir'] = {};
  for (const source of WITH_MODE) if (volume[source]) fill(volume[source], 'defaultMode', READABLE_BY_ALL);
  for (const item of listOf(volume['downwardAPI'], 'items')) defaultFieldSelector(item['fieldRef']);
  if (volume['hostPath']) fill(volume['hostPath'], 'type', '');
  if (volume['image']) {
    fill(
      volume['image'],
      'pullPolicy',
      imageTag(volume['image'].reference ?? '') === 'latest' ? 'Always' : 'IfNotPresent',
    );
  }
  for (const source of listOf(volume['projected'], 'sources')) {
    for (const item of listOf(source['downwardAPI'], 'items')) defaultFieldSelector(item['fieldRef']);
    if (source['serviceAccountToken']) fill(source['serviceAccountToken'], 'expirationSeconds', ONE_HOUR);
  }
  const claim = volume['ephemeral']?.volumeClaimTemplate?.spec;
  if (claim) fill(claim, 'volumeMode', 'Filesystem');
}
