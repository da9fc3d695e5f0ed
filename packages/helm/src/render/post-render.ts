/** The manifest as one text, and functions of the user that change documents on their way into it. */

import { emitYamlPretty, GoMap, parseYaml } from '@capstan/gotemplate';
import type { Crd } from '../chart/chart.ts';
import { splitManifests } from './manifests.ts';
import type { Manifest } from './rendered.ts';

/** Takes documents as one YAML text and gives them back, changed. */
export type PostRenderer = (manifest: string) => string;

const decoder = new TextDecoder();

const block = (source: string, content: string) => `---\n# Source: ${source}\n${content}\n`;

export function manifestText(crds: readonly Crd[], manifests: readonly Manifest[]): string {
  return [
    ...crds.map(crd => block(crd.filename, decoder.decode(crd.data))),
    ...manifests.map(manifest => block(manifest.path, manifest.content)),
  ].join('');
}

/** Carries the name of the file through the post-renderer, which sees only documents. */
const filenameAnnotation = 'postrenderer.helm.sh/postrender-filename';

/** All files through the post-renderer, hooks included, and back into files. */
export function postRendered(files: ReadonlyMap<string, string>, postRenderer: PostRenderer): Map<string, string> {
  const documents: string[] = [];
  for (const [name, text] of [...files].sort(([left], [right]) => (left < right ? -1 : 1))) {
    for (const document of splitManifests(text, 4)) documents.push(annotated(document, name));
  }
  const grouped = new Map<string, string[]>();
  const results = splitManifests(postRenderer(documents.join('---\n')), 4);
  for (const [index, document] of results.entries()) {
    const { name, text } = restored(document);
    const file = name ?? `generated-by-postrender-${index}.yaml`;
    grouped.set(file, [...(grouped.get(file) ?? []), text]);
  }
  return new Map([...grouped].map(([name, texts]) => [name, texts.join('---\n')]));
}

function annotated(document: string, name: string): string {
  const root = parseYaml(document);
  if (!(root instanceof GoMap)) return document;
  const metadata = childMap(root, 'metadata');
  childMap(metadata, 'annotations').set(filenameAnnotation, name);
  return emitYamlPretty(root);
}

function restored(document: string): { name: string | undefined; text: string } {
  const root = parseYaml(document);
  const metadata = root instanceof GoMap ? root.get('metadata') : undefined;
  const annotations = metadata instanceof GoMap ? metadata.get('annotations') : undefined;
  if (!(annotations instanceof GoMap)) return { name: undefined, text: document };
  const name = annotations.get(filenameAnnotation);
  annotations.delete(filenameAnnotation);
  if (annotations.size === 0) (metadata as GoMap).delete('annotations');
  return { name: typeof name === 'string' ? name : undefined, text: emitYamlPretty(root) };
}

function childMap(parent: GoMap, key: string): GoMap {
  const child = parent.get(key);
  if (child instanceof GoMap) return child;
  const made = new GoMap();
  parent.set(key, made);
  return made;
}
