/**
 * Runs a real API server until SIGTERM or SIGINT, to try requests against:
 *
 *     npx node e2e/real/serve.ts [--controllers] [--feature-gate Name=true …]
 */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { startRealApiServer } from './apiserver.ts';

const { values } = parseArgs({
  options: {
    controllers: { type: 'boolean', default: false },
    'feature-gate': { type: 'string', multiple: true, default: [] },
  },
});
const featureGates = Object.fromEntries(
  values['feature-gate'].map(gate => {
    const [name = '', value] = gate.split('=');
    return [name, value !== 'false'];
  }),
);

const server = await startRealApiServer({ controllerManager: values.controllers, featureGates });
const caFile = join(dirname(server.kubeconfig), 'ca.pem');
writeFileSync(caFile, Buffer.from(server.caData, 'base64'));
console.log(`URL=${server.url}\nTOKEN=${server.token}\nCA=${caFile}\nKUBECONFIG=${server.kubeconfig}`);

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => void server.stop().then(() => process.exit(0)));
}
