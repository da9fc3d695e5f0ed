/** A report as one screen of text. */
import { ageText } from './age.ts';
import type { Finding } from './finding.ts';
import type { Report, Section } from './report.ts';
import type { Warning } from './warnings.ts';

/** So many of a sort are shown; the rest is counted. */
const SHOWN = 8;
const LONGEST_MESSAGE = 240;

export function screen(report: Report, now: number): string {
  const { server, sections, warnings, unreadable } = report;
  const state = server.notReady === undefined ? 'ready' : `NOT READY (${server.notReady})`;
  const present = sections.filter(({ total }) => total > 0);
  const width = Math.max(12, ...present.map(({ title }) => title.length));
  const parts = [
    [
      `${'API server'.padEnd(width)}  ${server.description}, ${server.version}, ${state}, answers in ${latency(server.latency)}`,
    ],
    present.flatMap(section => sectionLines(section, width)),
    unreadable.map(({ kind, why }) => `${kind.padEnd(width)}  not known: ${why}`),
    warningLines(warnings, now),
    [conclusion(report)],
  ];
  return parts
    .filter(lines => lines.length > 0)
    .map(lines => lines.join('\n'))
    .join('\n\n');
}

const latency = (milliseconds: number): string =>
  `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`;

function sectionLines({ title, total, findings }: Section, width: number): string[] {
  const objects = new Set(findings.map(({ namespace, name }) => `${namespace}/${name}`)).size;
  const count = objects === 0 ? (total === 1 ? '1, well' : `${total}, all well`) : `${total}, ${objects} not well`;
  return [`${title.padEnd(width)}  ${count}`, ...limited(findings.map(findingLine), 'more')];
}

function findingLine({ namespace, name, reason, message }: Finding): string {
  const place = namespace === undefined ? name : `${namespace}/${name}`;
  return `  ✗ ${place}  ${reason}${message === '' ? '' : `: ${oneLine(message)}`}`;
}

function warningLines(warnings: readonly Warning[], now: number): string[] {
  if (warnings.length === 0) return [];
  const lines = warnings.map(({ at, namespace, object, reason, message, count }) => {
    const often = count > 1 ? ` (${count} times)` : '';
    return `  ${ageText(now - at).padStart(3)} ago  ${namespace}/${object}  ${reason}: ${oneLine(message)}${often}`;
  });
  return ['Warnings of the last hour', ...limited(lines, 'older ones')];
}

function limited(lines: readonly string[], rest: string): string[] {
  if (lines.length <= SHOWN) return [...lines];
  return [...lines.slice(0, SHOWN), `    … and ${lines.length - SHOWN} ${rest}; --json has all of them`];
}

function oneLine(message: string): string {
  const line = message.replace(/\s+/g, ' ').trim();
  return line.length <= LONGEST_MESSAGE ? line : `${line.slice(0, LONGEST_MESSAGE)}…`;
}

function conclusion({ healthy, sections, server }: Report): string {
  if (healthy) return 'Everything is as it should be.';
  const count = sections.flatMap(({ findings }) => findings).length + (server.notReady === undefined ? 0 : 1);
  return count === 1 ? 'One thing is not as it should be.' : `${count} things are not as they should be.`;
}
