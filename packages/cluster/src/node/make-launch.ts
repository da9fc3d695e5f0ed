/** Everything that a container's process is given: its command, environment, directory and file system. */
import { mkdir, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Container, Pod, Service } from '@capstan/kube';
import type { Surroundings } from './environment/downward.ts';
import { environmentOf } from './environment/environment.ts';
import { expand } from './environment/expand.ts';
import { apiServerLinks, serviceLinks } from './environment/service-links.ts';
import type { Launch, Mount } from './host/container-runtime.ts';
import type { PodContext } from './pod-context.ts';
import { mountsOf } from './volumes/mounts.ts';

export interface LaunchInput {
  readonly id: string;
  readonly pod: Pod;
  readonly container: Container;
  readonly surroundings: Surroundings;
  readonly volumePaths: ReadonlyMap<string, string>;
  /** What the image resolved to. */
  readonly program: { readonly command: readonly string[]; readonly env: Readonly<Record<string, string>> };
  readonly onOutput: Launch['onOutput'];
}

/** Of this process, only what a program needs to find programs; nothing that may be a secret. */
const INHERITED = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR'] as const;
const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Rejects with a `ConfigurationError` where the container cannot be made as it is configured. */
export async function makeLaunch(input: LaunchInput, context: PodContext): Promise<Launch> {
  const { id, pod, container, surroundings, volumePaths, program, onOutput } = input;
  const sources = context.sources(pod.metadata.namespace ?? '');
  const base = baseEnvironment(input, context);
  const env = environmentOf({ pod, container, sources, surroundings, base });
  const mounts = await mountsOf(container, volumePaths, env);
  const home = join(context.folder(pod), 'containers', container.name);
  await mkdir(home, { recursive: true });
  const privateRoot = mounts.length > 0 && (await context.privateRoots);
  if (mounts.length > 0 && !privateRoot) env.set('CAPSTAN_ROOT', await linkMounts(join(home, 'root'), mounts));
  return {
    id,
    podUid: pod.metadata.uid ?? '',
    command: program.command.map(word => expand(word, env)),
    env: Object.fromEntries(env),
    workingDir: container.workingDir || (privateRoot ? '/' : home),
    ...(privateRoot && { root: { folder: join(home, id.slice(0, 12)), mounts } }),
    stdin: container.stdin ?? false,
    onOutput,
  };
}

function baseEnvironment(
  { pod, program, surroundings }: LaunchInput,
  { services, server }: PodContext,
): Map<string, string> {
  const { name, namespace = '' } = pod.metadata;
  const inherited = INHERITED.flatMap(variable => {
    const value = process.env[variable] ?? (variable === 'PATH' ? DEFAULT_PATH : undefined);
    return value === undefined ? [] : [[variable, value] as const];
  });
  return new Map([
    ...inherited,
    ['HOSTNAME', pod.spec.hostname ?? name],
    ['POD_NAME', name],
    ['POD_NAMESPACE', namespace],
    ['POD_IP', surroundings.podIP],
    ...((pod.spec.enableServiceLinks ?? true) ? serviceLinks(othersThanApi(services(namespace))) : []),
    ...(server === undefined ? [] : apiServerLinks(server)),
    ...Object.entries(program.env),
  ]);
}

/** Where there are no private roots, mounts are links below a folder of the container's own. */
async function linkMounts(folder: string, mounts: readonly Mount[]): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  for (const { source, target } of mounts) {
    const link = join(folder, target);
    await mkdir(dirname(link), { recursive: true });
    await symlink(source, link).catch(() => {});
  }
  return folder;
}

/** The Service `kubernetes` stands for the API server, which Pods here reach at an address of its own. */
function othersThanApi(services: readonly Service[]): readonly Service[] {
  return services.filter(({ metadata }) => metadata.namespace !== 'default' || metadata.name !== 'kubernetes');
}
