import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createApiServer } from '../server.ts';
import { prepare, type Recorded, tryAll } from './recorded-decisions.fixture.ts';

const recorded = JSON.parse(
  readFileSync(new URL('./fixtures/decisions.json', import.meta.url), 'utf8'),
) as readonly Recorded[];

describe('who may what is decided as a real API server decided it', () => {
  it(`in ${recorded.length} attempts of many people, in the same words`, async () => {
    const server = await createApiServer({ authorize: 'rbac', onError: error => expect.unreachable(String(error)) });
    await prepare(server.transport());
    const ours = await tryAll(server.transport());
    expect(ours).toEqual(recorded);
    await server.close();
  });
});
