/** What `helm template` prints. */

import { compilePattern } from '../chart/path-match.ts';
import { HelmError } from '../errors.ts';
import { defaultHelmVersion, type HelmVersion } from '../version.ts';
import { splitManifests } from './manifests.ts';
import type { Rendered } from './rendered.ts';

export interface TemplateTextOptions {
  readonly helm?: HelmVersion;
  /** Leave the hooks out. */
  readonly noHooks?: boolean;
  /** Leave the test hooks out. */
  readonly skipTests?: boolean;
  /** Only what these templates wrote: paths inside the chart, with `*`. */
  readonly showOnly?: readonly string[];
}

export function templateText(rendered: Rendered, options: TemplateTextOptions = {}): string {
  const hooks = options.noHooks ? [] : rendered.hooks;
  const shown = hooks.filter(hook => !(options.skipTests && hook.events.includes('test')));
  const text = [
    `${rendered.manifest.trim()}\n`,
    ...shown.map(hook => `---\n# Source: ${hook.path}\n${hook.manifest}\n`),
  ].join('');
  if (!options.showOnly?.length) return text;
  return selected(text, options.showOnly, options.helm ?? defaultHelmVersion);
}

function selected(text: string, patterns: readonly string[], helm: HelmVersion): string {
  const documents = splitManifests(text, helm).map(document => ({
    document,
    path: /# Source: [^/]+\/(.+)/.exec(document)?.[1],
  }));
  return patterns
    .flatMap(pattern => {
      const matches = compilePattern(pattern);
      const found = documents.filter(({ path }) => path !== undefined && matches(path));
      if (found.length === 0) throw new HelmError('NotFound', `could not find template ${pattern} in chart`);
      return found.map(({ document }) => `---\n${document}\n`);
    })
    .join('');
}
