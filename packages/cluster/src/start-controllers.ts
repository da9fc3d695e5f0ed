import { createManager, type LeaderElectionOptions, type Log, type Manager } from '@capstan/controller';
import type { Clock, Random, Transport } from '@capstan/kube';
import type { BuiltinController } from './controllers/builtin-controller.ts';
import { builtinControllers } from './controllers/index.ts';
import { persistentVolumeController, volumeDirectories } from './controllers/persistentvolume/index.ts';
import { rootCaController } from './controllers/root-ca/index.ts';

export interface StartControllersOptions {
  readonly transport: Transport;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly log?: Log;
  /** Names of controllers that are not wanted: `['scheduler']`. */
  readonly leaveOut?: readonly string[];
  /** Needed where more than one process runs them. Default: this process always leads. */
  readonly leaderElection?: LeaderElectionOptions;
  /** PEM: the authority that vouches for the API server. Every namespace gets it in a ConfigMap; without it, none does. */
  readonly rootCertificate?: string;
  /** A folder in which volumes are made for claims. Without it, claims get only volumes that someone made. */
  readonly volumesFolder?: string;
}

export interface RunningControllers {
  /** The names of those that run. */
  readonly names: readonly string[];
  readonly manager: Manager;
  stop(): Promise<void>;
}

/**
 * Runs the built-in controllers on one manager. Resolves when they have seen everything that there is.
 *
 * @example const controllers = await startControllers({ transport: server.transport() });
 */
export async function startControllers(options: StartControllersOptions): Promise<RunningControllers> {
  const { transport, clock, random, log, leaderElection, leaveOut = [] } = options;
  const manager = createManager({
    transport,
    leaderElection,
    userAgent: 'kube-controller-manager',
    ...(clock !== undefined && { clock }),
    ...(random !== undefined && { random }),
    ...(log !== undefined && { log }),
  });
  const controllers = chosen([...builtinControllers, ...configured(options)], leaveOut);
  for (const controller of controllers) controller.setup(manager);
  await manager.start();
  return { names: controllers.map(({ name }) => name), manager, stop: () => manager.stop() };
}

/** Those that have to be told something. */
function configured({ rootCertificate, volumesFolder }: StartControllersOptions): BuiltinController[] {
  const directories = volumesFolder === undefined ? undefined : volumeDirectories(volumesFolder);
  const volumes = persistentVolumeController({ directories });
  return rootCertificate === undefined ? [volumes] : [volumes, rootCaController(rootCertificate)];
}

/** All but those left out. A name that there is not is a mistake of the caller's, and would silently leave something running. */
function chosen(all: readonly BuiltinController[], leaveOut: readonly string[]): readonly BuiltinController[] {
  const unknown = leaveOut.filter(name => !all.some(controller => controller.name === name));
  if (unknown.length > 0) {
    const known = all.map(({ name }) => name).join(', ');
    throw new TypeError(`there is no controller named ${unknown.join(', ')}; there are ${known}`);
  }
  return all.filter(({ name }) => !leaveOut.includes(name));
}
