/** `.Files`: the files of a chart that are no templates, for templates to read. */

import { emitYaml, fromBytes, GoMap, GoSlice, method, types } from '@capstan/gotemplate';
import type { ChartFile } from '../chart/chart.ts';
import { compileGlob } from './glob.ts';

const bytesOf = (files: GoMap, name: string): Uint8Array =>
  (files.get(name) as Uint8Array | undefined) ?? new Uint8Array();

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** A mapping of the files' base names to their contents, as YAML. */
function asYaml(files: GoMap, encode: (data: Uint8Array) => string): string {
  const map = new GoMap([], types.STRING_MAP);
  for (const name of files.keys()) map.set(baseName(name), encode(bytesOf(files, name)));
  return emitYaml(map).replace(/\n$/, '');
}

const FILES: types.GoType = {
  name: 'engine.files',
  kind: 'map',
  elem: types.BYTES,
  named: true,
  methods: {
    Get: method('string', (files: GoMap, name) => fromBytes(bytesOf(files, name))),
    GetBytes: method('string', (files: GoMap, name) => bytesOf(files, name)),
    Glob: method('string', (files: GoMap, pattern) => {
      const matches = compileGlob(pattern);
      const found = files.keys().filter(matches);
      return new GoMap(
        found.map(name => [name, bytesOf(files, name)]),
        FILES,
      );
    }),
    AsConfig: method('', (files: GoMap) => asYaml(files, fromBytes)),
    AsSecrets: method('', (files: GoMap) => asYaml(files, data => Buffer.from(data).toString('base64'))),
    Lines: method('string', (files: GoMap, name) => {
      const data = bytesOf(files, name);
      if (data.length === 0) return new GoSlice([], types.STRING_SLICE);
      return new GoSlice(fromBytes(data).replace(/\n$/, '').split('\n'), types.STRING_SLICE);
    }),
  },
};

export function filesObject(files: readonly ChartFile[]): GoMap {
  return new GoMap(
    files.map(file => [file.name, file.data]),
    FILES,
  );
}
