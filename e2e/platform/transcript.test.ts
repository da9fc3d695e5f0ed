import { describe, expect, it } from 'vitest';
import { timeless, transcriptOf } from './transcript.ts';

const PAGE = `
## Else
\`\`\`console
$ no
\`\`\`
## First
words
\`\`\`console
$ export A=1
$ echo a
a
$ tail -f log
one
^C
\`\`\`
`;

describe('a transcript', () => {
  it('is read from below its heading: commands, what they say, and which of them the reader ends', () => {
    expect(transcriptOf(PAGE, 'First')).toEqual([
      { command: 'export A=1', says: '', interrupted: false },
      { command: 'echo a', says: 'a', interrupted: false },
      { command: 'tail -f log', says: 'one', interrupted: true },
    ]);
  });

  it('that is not there is an error', () => {
    expect(() => transcriptOf(PAGE, 'Second')).toThrow('there is no console block below "Second"');
  });

  it('is compared without what differs from run to run, and with everything else', () => {
    const line = (pod: string, status: string, age: string): string =>
      timeless(`${pod}   1/1   ${status}   0   ${age}`);
    expect(line('hello-574c776dff-79tx8', 'Running', '1s')).toBe(line('hello-67cc78b84-abcde', 'Running', '12s'));
    expect(line('hello-574c776dff-79tx8', 'Running', '1s')).not.toBe(line('hello-574c776dff-79tx8', 'Pending', '1s'));
    expect(timeless('127.98.11.180,127.98.11.181')).toBe('<address>,<address>');
  });
});
