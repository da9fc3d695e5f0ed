/** The topmost mount points below the root, from `/proc/self/mountinfo`; what is mounted further down comes with them. */
export function mountPoints(mountinfo: string): string[] {
  const all = mountinfo
    .split('\n')
    .map(line => unescaped(line.split(' ')[4] ?? ''))
    .filter(point => point !== '' && point !== '/');
  const topmost = new Set(all.filter(point => !all.some(other => point.startsWith(`${other}/`))));
  return [...topmost].toSorted();
}

/** Blanks and their like are written in octal. */
const unescaped = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
