import { existsSync, readdirSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/**
 * One project a package, named after it (`npx vitest run --project kube`), and two more: `repository` holds the checks of
 * the source itself (types, lint, import directions), `e2e` the whole product.
 *
 * `*.real.test.ts` need parts that `npm run peers` brings (a real kube-apiserver, kubectl, …): `npm run test:real` runs
 * them, `npm test` does not.
 */
const real = process.env.CAPSTAN_REAL === '1';
const project = (name: string, root: string) => ({
  test: {
    name,
    root,
    include: real ? ['**/*.real.test.ts'] : ['**/*.test.ts'],
    exclude: ['**/node_modules/**', ...(real ? [] : ['**/*.real.test.ts'])],
    // What hangs, hangs for ever; this is no measure of speed, and machines that run tests are busy.
    testTimeout: real ? 300_000 : 60_000,
    hookTimeout: real ? 300_000 : 60_000,
  },
});

export default defineConfig({
  test: {
    reporters: ['default', './scripts/summary.ts'],
    passWithNoTests: true,
    projects: [
      ...readdirSync('packages')
        .filter(name => existsSync(`packages/${name}/package.json`))
        .map(name => project(name, `packages/${name}`)),
      project('repository', 'scripts'),
      project('e2e', 'e2e'),
    ],
  },
});
