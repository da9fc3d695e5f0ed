/**
 * The images that the process node knows. There is no registry and nothing is pulled: an image is a name for a program of this machine, and
 * a container that brings its own command runs that, whatever its image is called.
 */
import { fileURLToPath } from 'node:url';

export interface ImageEntry {
  readonly description: string;
  /** What runs where the container names no command. `args` of the container replace `args`. */
  readonly command: readonly string[];
  readonly args?: readonly string[];
  /** Set unless the container sets them itself. `VERSION` is always the tag. */
  readonly env?: Readonly<Record<string, string>>;
}

export type ImageCatalogue = Readonly<Record<string, ImageEntry>>;

const program = (name: string): string => fileURLToPath(new URL(`./programs/${name}.mjs`, import.meta.url));

export const builtinImages: ImageCatalogue = {
  'capstan/demo-http': {
    description: 'a web server on $(POD_IP):8080 that says who it is; /healthz; env MESSAGE, DELAY, DRAIN, PORT',
    command: [process.execPath, program('demo-http')],
  },
  'capstan/demo-job': {
    description: 'prints lines and ends; env LINES, INTERVAL, EXIT_CODE',
    command: [process.execPath, program('demo-job')],
  },
  'capstan/pause': {
    description: 'does nothing until it is told to end',
    command: ['/bin/sh', '-c', "trap 'exit 0' TERM INT; while :; do sleep 2147483 & wait $!; done"],
  },
};

/** An image's name, taken apart: `registry.local:5000/capstan/demo-http:2` is `registry.local:5000/capstan/demo-http` and `2`. */
export interface ImageName {
  readonly repository: string;
  readonly tag: string;
}

/** Undefined where it is no name of an image at all. */
export function parseImageName(image: string): ImageName | undefined {
  const match =
    /^(?<repository>[a-z0-9]+(?:[._:/-]+[a-zA-Z0-9]+)*?)(?::(?<tag>[\w][\w.-]{0,127}))?(?:@sha256:[0-9a-f]{64})?$/.exec(
      image,
    );
  if (match?.groups === undefined) return undefined;
  return { repository: match.groups['repository']!, tag: match.groups['tag'] ?? 'latest' };
}

/** What a container of that image runs, or why it cannot. */
export type ResolvedImage =
  | { readonly type: 'runs'; readonly command: readonly string[]; readonly env: Readonly<Record<string, string>> }
  | { readonly type: 'invalid'; readonly message: string }
  | { readonly type: 'unknown'; readonly message: string };

export interface WantedProgram {
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
}

export function resolveImage(
  { image, command = [], args = [] }: WantedProgram,
  catalogue: ImageCatalogue,
): ResolvedImage {
  const name = parseImageName(image);
  if (name === undefined) {
    return {
      type: 'invalid',
      message: `Failed to apply default image tag ${JSON.stringify(image)}: couldn't parse image name ${JSON.stringify(image)}: invalid reference format`,
    };
  }
  const entry = catalogue[name.repository.replace(/^docker\.io\//, '')];
  if (entry === undefined && command.length === 0) return { type: 'unknown', message: unknownImage(image, catalogue) };
  const env = entry === undefined ? {} : { VERSION: name.tag, ...entry.env };
  if (command.length > 0) return { type: 'runs', command: [...command, ...args], env };
  return { type: 'runs', command: [...entry!.command, ...(args.length > 0 ? args : (entry!.args ?? []))], env };
}

function unknownImage(image: string, catalogue: ImageCatalogue): string {
  const known = Object.keys(catalogue).toSorted().join(', ');
  return (
    `image ${JSON.stringify(image)} is not known here: Pods are programs of this machine, and nothing is pulled. ` +
    `Images there are: ${known}. Or give the container a command of its own (spec.containers[].command), which then runs from this machine.`
  );
}

/** A stable identity, so that tools which compare images see the same one each time. */
export function imageIdOf(image: string): string {
  const name = parseImageName(image);
  return name === undefined ? '' : `capstan://${name.repository}:${name.tag}`;
}
