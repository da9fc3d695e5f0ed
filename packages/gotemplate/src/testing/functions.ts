import { sprig } from '../sprig/index.ts';
import { system } from '../system.ts';
import { UTC } from '../time/zone.ts';
import type { FuncMap } from '../value/function.ts';
import { yamlFunctions } from '../yaml/functions.ts';

/** The functions the oracle has: sprig and Helm's YAML, on a machine in UTC. */
export function functions(): FuncMap {
  return {
    ...yamlFunctions,
    ...sprig({ system: { zone: name => (name === 'Local' ? { ...UTC, name: 'Local' } : system.zone(name)) } }),
  };
}
