/** A terminal session as a page shows it: commands after `$ `, each with what it says. */
export interface Step {
  readonly command: string;
  readonly says: string;
  /** The reader ends it with Ctrl-C. */
  readonly interrupted: boolean;
}

/** The first `console` block below the heading. */
export function transcriptOf(markdown: string, heading: string): Step[] {
  const section = markdown.split(/^## /m).find(part => part.startsWith(`${heading}\n`));
  const block = section?.match(/^```console\n(?<text>[\s\S]*?)^```$/m)?.groups?.['text'];
  if (block === undefined) throw new Error(`there is no console block below "${heading}"`);
  const steps = block.split(/^\$ /m).slice(1);
  return steps.map(step => {
    const [command = '', ...lines] = step.trimEnd().split('\n');
    const interrupted = lines.at(-1) === '^C';
    return { command, says: (interrupted ? lines.slice(0, -1) : lines).join('\n'), interrupted };
  });
}

/** What is the same in every run: made-up names, addresses, ages and the widths that follow from them are not. */
export function timeless(text: string): string {
  return text
    .split('\n')
    .filter(line => line.trim() !== '' && !/^(Waiting for|Found \d+ pods)/.test(line))
    .map(line =>
      line
        .replace(/\b127(\.\d+){3}\b/g, '<address>')
        .replace(/\bhello-[0-9a-z]{6,10}-[0-9a-z]{5}\b/g, '<pod>')
        .replace(/\bhello-[0-9a-z]{5}\b/g, '<slice>')
        .replace(/\b\d+s$/, '<age>')
        .replace(/ {2,}/g, '  ')
        .trimEnd(),
    )
    .join('\n');
}
