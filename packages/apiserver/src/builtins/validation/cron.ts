/** Cron schedules as Kubernetes reads them: five fields or a name, in the words of its parser when it cannot. */
import { own } from '../tree.ts';

interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly names?: Readonly<Record<string, number>>;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const numbered = (names: readonly string[], from: number): Record<string, number> =>
  Object.fromEntries(names.map((name, index) => [name, index + from]));

const FIELDS: readonly Bounds[] = [
  { least: 0, most: 59 },
  { least: 0, most: 23 },
  { least: 1, most: 31 },
  { least: 1, most: 12, names: numbered(MONTHS, 1) },
  { least: 0, most: 6, names: numbered(DAYS, 0) },
];

const DESCRIPTORS = new Set(['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly']);

/** What is wrong with a schedule; undefined when nothing is. */
export function scheduleProblem(schedule: string): string | undefined {
  if (schedule.includes('TZ')) return 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead';
  if (schedule.startsWith('@')) return descriptorProblem(schedule);
  const fields = schedule.split(/\s+/).filter(field => field !== '');
  if (fields.length !== FIELDS.length) {
    return `expected exactly ${FIELDS.length} fields, found ${fields.length}: [${fields.join(' ')}]`;
  }
  for (const [index, field] of fields.entries()) {
    for (const range of field.split(',').filter(part => part !== '')) {
      const problem = rangeProblem(range, FIELDS[index]!);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function descriptorProblem(schedule: string): string | undefined {
  if (DESCRIPTORS.has(schedule)) return undefined;
  if (!schedule.startsWith('@every ')) return `unrecognized descriptor: ${schedule}`;
  const duration = schedule.slice('@every '.length);
  if (/^[+-]?(0|((\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)$/.test(duration)) return undefined;
  return `failed to parse duration ${schedule}: time: invalid duration ${JSON.stringify(duration)}`;
}

/** `*`, `5`, `1-5`, `mon-fri`, each with or without a step: `* /2`. */
function rangeProblem(text: string, bounds: Bounds): string | undefined {
  const [range, step, ...more] = text.split('/') as [string, string?, ...string[]];
  const ends = range.split('-');
  let start = bounds.least;
  let end = bounds.most;
  if (ends[0] !== '*' && ends[0] !== '?') {
    const first = parseEnd(ends[0]!, bounds);
    if (typeof first === 'string') return first;
    start = first;
    if (ends.length > 2) return `too many hyphens: ${text}`;
    const last = ends.length === 1 ? (step === undefined ? first : bounds.most) : parseEnd(ends[1]!, bounds);
    if (typeof last === 'string') return last;
    end = last;
  }
  if (more.length > 0) return `too many slashes: ${text}`;
  if (step !== undefined) {
    const parsed = parseNumber(step);
    if (typeof parsed === 'string') return parsed;
    if (parsed === 0) return `step of range should be a positive number: ${text}`;
  }
  if (start < bounds.least) return `beginning of range (${start}) below minimum (${bounds.least}): ${text}`;
  if (end > bounds.most) return `end of range (${end}) above maximum (${bounds.most}): ${text}`;
  return start > end ? `beginning of range (${start}) beyond end of range (${end}): ${text}` : undefined;
}

/** The number, or what is wrong with it. */
function parseEnd(text: string, { names }: Bounds): number | string {
  return own(names, text.toLowerCase()) ?? parseNumber(text);
}

function parseNumber(text: string): number | string {
  if (/^[+]?\d+$/.test(text)) return Number(text);
  if (/^-\d+$/.test(text)) return `negative number (${Number(text)}) not allowed: ${text}`;
  return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
}
