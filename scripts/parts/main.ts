/**
 * `npm run parts [-- name …]`: brings the programs of the outside world that this machine lacks (kubectl, caddy, …) into the cache. What is missing
 * after that is named, and everything else goes on without it.
 */
import { findPart, findUnpacked } from './find.ts';
import { parts } from './table.ts';
import { UnpackFailed, unpackPart, whyNot } from './unpack.ts';

function main(names: readonly string[]): number {
  const unknown = names.find(name => !parts.some(part => part.name === name));
  if (unknown !== undefined) {
    console.error(`parts: there is no part "${unknown}". There are: ${parts.map(({ name }) => name).join(', ')}`);
    return 2;
  }
  // One that is asked for by name is brought even where PATH has another.
  const wanted = names.length === 0 ? parts : parts.filter(({ name }) => names.includes(name));
  const impossible = whyNot();
  for (const part of wanted) {
    const found = names.length === 0 ? findPart(part.name) : findUnpacked(part.name);
    if (found !== undefined) {
      console.error(`parts: ${part.name} is there: ${found.program}`);
      continue;
    }
    const without = `It is for ${part.for}; the rest goes on without it.`;
    if (impossible !== undefined) {
      console.error(`parts: ${part.name} is missing, and ${impossible}. ${without}`);
      continue;
    }
    try {
      unpackPart(part);
      console.error(`parts: ${part.name} is unpacked: ${findUnpacked(part.name)?.program}`);
    } catch (error) {
      if (!(error instanceof UnpackFailed)) throw error;
      console.error(
        `parts: ${part.name} is missing: ${error.message}. Are the package lists there ("apt-get update")? ${without}`,
      );
    }
  }
  return 0;
}

process.exitCode = main(process.argv.slice(2));
