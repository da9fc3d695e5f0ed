import { type Chart, crdsOf } from '@capstan/helm';
import { type ChartFlags, chartFrom } from './chart-source.ts';
import { print, yamlOf } from './output.ts';

export type ShownPart = 'all' | 'chart' | 'values' | 'readme' | 'crds';

const decoder = new TextDecoder();
const readmes = ['readme.md', 'readme.txt', 'readme'];

export async function show(part: ShownPart, source: string, flags: ChartFlags): Promise<void> {
  print(shownText(await chartFrom(source, flags), part));
}

export function shownText(chart: Chart, part: ShownPart): string {
  const all = part === 'all';
  const wants = (other: ShownPart) => all || part === other;
  const separator = all ? '---\n' : '';
  const text: string[] = [];
  if (wants('chart')) text.push(`${yamlOf(chart.metadata)}\n`);
  const values = chart.raw.find(file => file.name === 'values.yaml');
  if (wants('values') && values) text.push(`${separator}${decoder.decode(values.data)}\n`);
  const readme = chart.files.find(file => readmes.includes(file.name.toLowerCase()));
  if (wants('readme') && readme) text.push(`${separator}${decoder.decode(readme.data)}\n`);
  if (wants('crds')) {
    for (const crd of crdsOf(chart)) {
      const content = decoder.decode(crd.data);
      text.push(`${content.startsWith('---') ? '' : '---\n'}${content}\n`);
    }
  }
  return text.join('');
}
