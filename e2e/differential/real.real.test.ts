import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPeer } from '../../scripts/peers/find.ts';
import { neededPeers, type RealApiServer, startRealApiServer } from '../real/apiserver.ts';
import { requirePeers } from '../real/require-peers.ts';
import { compare, describeDifference } from './compare.ts';
import { readFixture } from './fixture.ts';
import { normalise } from './normalise.ts';
import { runScript } from './run.ts';
import { scripts } from './scripts/index.ts';
import { connect, type Target } from './target.ts';

describe('a real API server still answers what was recorded', () => {
  let server: RealApiServer | undefined;
  let target: Target | undefined;

  beforeAll(async () => {
    if (neededPeers({}).some(name => findPeer(name) === undefined)) return;
    server = await startRealApiServer();
    await server.restart();
    target = connect(server);
  });

  afterAll(async () => {
    await target?.close();
    await server?.stop();
  });

  for (const script of scripts) {
    it(script.about, async context => {
      requirePeers(context, neededPeers({}));
      const answers = normalise(await runScript(script, target!));
      expect(compare(readFixture(script).answers, answers).map(describeDifference)).toEqual([]);
    });
  }
});
