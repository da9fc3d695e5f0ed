/** The same objects in a real cluster and in ours, printed by the same kubectl: nobody should be able to tell which is which. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EmbeddedServer, startEmbedded } from '../embedded/server.ts';
import { type RealApiServer, startRealApiServer } from '../real/apiserver.ts';
import { requirePeers } from '../real/require-peers.ts';
import { availableKubectls } from './kubectls.ts';
import { KINDS, OBJECTS } from './printed-objects.fixture.ts';
import { createKubectl, type Kubectl } from './run-kubectl.ts';

const program = availableKubectls().at(-1);
const folder = mkdtempSync(join(tmpdir(), 'capstan-tables-'));
let real: RealApiServer;
let embedded: EmbeddedServer;
let both: readonly [Kubectl, Kubectl];

test('a real cluster and a kubectl are there', context => requirePeers(context, ['kubectl', 'kube-apiserver', 'etcd']));

describe.runIf(program !== undefined)('printed from a real cluster and from ours', () => {
  beforeAll(async () => {
    [real, embedded] = await Promise.all([startRealApiServer(), startEmbedded()]);
    both = [
      createKubectl(program!, real.kubeconfig, join(folder, 'real')),
      createKubectl(program!, embedded.kubeconfig, join(folder, 'ours')),
    ];
    const list = { apiVersion: 'v1', kind: 'List', items: OBJECTS };
    for (const kubectl of both) await kubectl.withInput(list, 'create', '--validate=strict');
  });
  afterAll(async () => {
    await Promise.all([real?.stop(), embedded?.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });

  /** What two clusters cannot have in common: ages, addresses that were drawn, and where the server itself is. */
  const comparable = (text: string): string =>
    text
      // First, because a part of one may look like an age.
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID')
      .replaceAll(/\b(\d+[smhd]){1,2}( ago)?\b/g, 'AGE')
      .replaceAll(/\b10\.\d+\.\d+\.\d+\b/g, 'ADDRESS')
      .replaceAll(/\d{4}-\d\d-\d\dT\S+Z/g, 'TIME')
      .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0000 UTC/g, 'TIME')
      .replaceAll(/(Resource Version: +)\d+/g, '$1VERSION')
      .replaceAll(/[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \S+ \S+/g, 'TIME')
      .replaceAll(/(Port: +\S+ +|NodePort: +\S+ +)\d{5}/g, '$1PORT')
      .replaceAll(/ +/g, ' ');
  const printed = (...args: string[]): Promise<string[]> =>
    Promise.all(both.map(async kubectl => comparable(await kubectl(...args))));

  test.each(KINDS)('get %s', async kind => {
    for (const flags of [[], ['-o', 'wide'], ['--show-labels'], ['-o', 'name']]) {
      const [theirs, ours] = await printed('get', kind, '-n', 'shown', ...flags);
      expect(theirs).not.toBe('');
      expect(ours).toBe(theirs);
    }
  });

  test.each(KINDS)('describe %s', async kind => {
    const [theirs, ours] = await printed('describe', kind, '-n', 'shown');
    expect(ours).toBe(theirs);
  });
});
