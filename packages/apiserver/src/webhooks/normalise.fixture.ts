/** Takes out of answers what is another in each run. */

const TIMES: ReadonlySet<string> = new Set(['creationTimestamp', 'deletionTimestamp', 'lastTransitionTime', 'time']);

export function normaliser(port: number): (value: unknown) => unknown {
  const text = (value: string): string =>
    value
      .replaceAll(`127.0.0.1:${port}`, '127.0.0.1:<port>')
      .replace(/127\.0\.0\.1:\d+->/g, '127.0.0.1:<port>->')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, '<uid>')
      .replace(/\bgen-[a-z0-9]{5}\b/g, 'gen-<random>')
      .replace(/current time \S+ is after \S+/, 'current time <time> is after <time>');
  const walk = (key: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(item => walk(key, item));
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, walk(name, item)]));
    }
    if (typeof value !== 'string') return value;
    if (key === 'resourceVersion' && /^\d+$/.test(value)) return '<version>';
    if (TIMES.has(key) && !value.startsWith('2001')) return '<time>';
    return text(value);
  };
  return value => walk('', value);
}
