/** What Helm makes of the errors of templates. */

import { ExecError } from '@capstan/gotemplate';
import { HelmError } from '../errors.ts';
import type { HelmVersion } from '../version.ts';

/** `required` and `fail` mark their messages, so that the user sees only them. */
const start = 'HELM_ERR_START';
const end = 'HELM_ERR_END';

export const marked = (message: string): string => `${start}${message}${end}`;

function failed(message: string, cause: unknown): HelmError {
  return new HelmError('RenderFailed', message, { cause });
}

/** `parse error at (shop/templates/a.yaml:3): …`. */
export function parseFailure(filename: string, error: Error): HelmError {
  const parts = error.message.split(': ');
  if (parts.length === 1) return failed(`parse error in (${filename}): ${error.message}`, error);
  return failed(`parse error at (${parts[1]}): ${parts.at(-1)}`, error);
}

/** `execution error at (shop/templates/a.yaml:3:5): …` for what the chart says, Go's own words for the rest. */
export function executionFailure(filename: string, error: unknown, helm: HelmVersion): unknown {
  if (!(error instanceof ExecError)) return error;
  const [, location, ...rest] = error.message.split(': ');
  if (location === undefined || rest.length === 0) {
    return failed(`execution error in (${filename}): ${error.message}`, error);
  }
  const text = rest.join(': ');
  const from = text.indexOf(start);
  const to = text.lastIndexOf(end);
  if (from >= 0 && to >= from + start.length) {
    return failed(`execution error at (${location}): ${text.slice(from + start.length, to)}`, error);
  }
  return failed(helm === 3 ? error.message : traced(error), error);
}

/** Helm 4 shows where each template on the way called the next, a line for each. */
function traced(error: ExecError): string {
  const lines: string[] = [];
  for (const message of chain(error)) {
    const line = trace(message);
    if (line === undefined) return error.message;
    if (lines.at(-1) !== line) lines.push(line);
  }
  return lines.join('').trim();
}

/** The message of an error and of those it wraps, as Go's `errors.Unwrap` walks them. */
function* chain(error: Error): Generator<string> {
  for (let current: unknown = error; current instanceof Error; current = current.cause) yield current.message;
}

const executing = /^(.*?): executing "([^"]*)" at <(.*?)>: (.*)$/s;
const withoutNext = (message: string): string => message.split(' template:', 1)[0]!;

function trace(message: string): string | undefined {
  const prefix = 'template: ';
  if (!message.startsWith(prefix)) return undefined;
  const rest = message.slice(prefix.length);
  if (rest.startsWith('no template ')) return `${message}\n`;
  const match = rest.includes(': executing ') ? executing.exec(rest) : null;
  if (match) {
    const [, location, name, at, what] = match as unknown as [string, string, string, string, string];
    return shown(location, `executing "${name}" at <${at}>:`, withoutNext(what));
  }
  const cut = rest.lastIndexOf(': ');
  return cut < 0 ? undefined : shown(rest.slice(0, cut), '', withoutNext(rest.slice(cut + 2)));
}

function shown(location: string, called: string, message: string): string {
  return (location && `${location}\n  `) + (called && `${called}\n    `) + (message && `${message}\n`);
}
