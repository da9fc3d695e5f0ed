/** What linting found. */

export type Severity = 'INFO' | 'WARNING' | 'ERROR';

export interface Finding {
  readonly severity: Severity;
  /** The file or folder of the chart it is about; empty for the chart as a whole. */
  readonly path: string;
  readonly message: string;
}

/** Collects findings. Each rule gives a message where something is wrong. */
export class Report {
  readonly findings: Finding[] = [];

  /** Notes a message, if there is one. Returns whether all was well. */
  check(severity: Severity, path: string, message: string | undefined): boolean {
    if (message === undefined) return true;
    this.findings.push({ severity, path, message });
    return false;
  }
}

/** The message of what a step throws. */
export function complaint(step: () => unknown): string | undefined {
  try {
    step();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** A line for each finding, as `helm lint` prints them. */
export function lintText(findings: readonly Finding[]): string {
  return findings.map(({ severity, path, message }) => `[${severity}] ${path}: ${message}`).join('\n');
}
