/** Thousands of objects nobody thought of, put to our built-in kinds and to a real API server. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type RealApiServer, startRealApiServer } from '../../../../e2e/real/apiserver.ts';
import { requirePeers } from '../../../../e2e/real/require-peers.ts';
import { type Call, callsTo, hasRealServer } from '../schema/real-server.fixture.ts';
import { answerOf, comparableObject, kindOf } from './answer.fixture.ts';
import { chanceFrom, changed } from './random-objects.fixture.ts';
import { cleanAnswer } from './recorded-cases.fixture.ts';
import type { Tree } from './tree.ts';

const SEED = Number(process.env['CAPSTAN_SEED'] ?? 1);
const OBJECTS_A_KIND = 100;
/** Of all objects, this share is accepted by both or refused by both. What is missing are corners of rarely used fields. */
const SAME_VERDICT = 0.985;

const bases = parse(readFileSync(new URL('./fixtures/bases.yaml', import.meta.url), 'utf8')) as Record<string, Tree>;

let server: RealApiServer | undefined;
let call: Call;
let close: () => Promise<void>;

beforeAll(async () => {
  if (!hasRealServer) return;
  server = await startRealApiServer();
  ({ call, close } = callsTo(server));
});

afterAll(async () => {
  await close?.();
  await server?.stop();
});

test.skipIf(!hasRealServer)('what both accept is stored alike, and they agree on what to refuse', async () => {
  const chance = chanceFrom(SEED);
  let asked = 0;
  const disagreements: string[] = [];
  const differences: unknown[] = [];
  for (const base of Object.values(bases)) {
    const kind = kindOf(base);
    for (let index = 0; index < OBJECTS_A_KIND; index++) {
      const object = changed(base, kind.schema, chance);
      const theirs = await call('POST', `${collectionOf(kind)}?dryRun=All&fieldValidation=Ignore`, object);
      const ours = answerOf({ object });
      const isAccepted = theirs.kind !== 'Status';
      asked++;
      if (isAccepted !== ours.code < 400) disagreements.push(`${JSON.stringify(object)} → ${theirs.message}`);
      else if (isAccepted) {
        const [expected, found] = [cleanAnswer(201, theirs), ours].map(answer => comparableObject(answer));
        if (JSON.stringify(sorted(expected)) !== JSON.stringify(sorted(found))) differences.push({ expected, found });
      }
    }
  }
  expect(differences.length / asked, JSON.stringify(differences.slice(0, 3))).toBeLessThan(0.002);
  expect(1 - disagreements.length / asked, disagreements.slice(0, 5).join('\n')).toBeGreaterThan(SAME_VERDICT);
});

test('a real server is there to ask', context => requirePeers(context, ['etcd', 'kube-apiserver']));

function collectionOf(kind: { group: string; version: string; plural: string; namespaced: boolean }): string {
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
  return `${root}${kind.namespaced ? '/namespaces/default' : ''}/${kind.plural}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, child]) => [key, sorted(child)]));
}
