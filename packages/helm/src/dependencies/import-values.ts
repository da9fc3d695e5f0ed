/** `import-values`: values a subchart exports, taken into the defaults of its parent. The parent's own win. */

import { sprint } from '@capstan/gotemplate';
import type { Chart } from '../chart/chart.ts';
import type { Dependency } from '../chart/metadata.ts';
import { coalesceValues, fillTable } from '../values/coalesce.ts';
import { tableAt } from '../values/path.ts';
import { templateValue } from '../values/template-value.ts';
import { emptyValues, isTable, type Values, type ValuesNode } from '../values/values.ts';
import type { ProcessOptions } from './process.ts';

/** From the lowest charts upwards, so that what was imported can be imported again. */
export function importValues(chart: Chart, options: ProcessOptions): Chart {
  const children = chart.dependencies.map(child => importValues(child, options));
  return importInto({ ...chart, dependencies: children }, options);
}

interface Import {
  readonly child: string;
  readonly parent: string;
}

function importInto(chart: Chart, options: ProcessOptions): Chart {
  const entries = chart.metadata.dependencies;
  if (!entries) return chart;
  const values = coalesceValues(chart, emptyValues(), { ...options, merge: true });
  const imported = emptyValues();
  const rewritten = entries.map((entry): Dependency => {
    const imports = (entry['import-values'] ?? []).flatMap(readImport);
    for (const { child, parent } of imports) {
      const table = tableAt(values, `${entry.name}.${child}`);
      if (table) fillTable(imported, placed(parent, table), { merge: true, warn: options.warn });
      else options.warn(`Warning: ImportValues missing table from chart ${entry.name}: "${child}" is not a table`);
    }
    const { 'import-values': _, ...rest } = entry;
    return imports.length > 0 ? { ...rest, 'import-values': imports.map(item => ({ ...item })) } : rest;
  });
  return {
    ...chart,
    metadata: { ...chart.metadata, dependencies: rewritten },
    values: fillTable(values, imported, { merge: true, warn: options.warn }),
  };
}

function readImport(node: ValuesNode): Import[] {
  if (typeof node === 'string') return [{ child: `exports.${node}`, parent: '.' }];
  if (!isTable(node)) return [];
  const text = (key: string) => sprint([templateValue(node[key] ?? null)]);
  return [{ child: text('child'), parent: text('parent') }];
}

/** The table under a path of its own: `a.b` gives `{ a: { b: table } }`. */
function placed(path: string, table: Values): Values {
  if (path === '.') return table;
  return path.split('.').reduceRight<Values>((inner, key) => {
    const outer = emptyValues();
    outer[key] = inner;
    return outer;
  }, table);
}
