import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run with one line that people and scripts can read, after a line for each thing skipped and what would enable it. */
export default class Summary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0 };
    const notes = new Set<string>();
    for (const module of modules) {
      if (module.errors().length > 0) count.failed++;
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === 'pending') continue;
        count[result.state]++;
        if (result.state === 'skipped' && result.note) notes.add(result.note);
      }
    }
    for (const note of notes) console.log(`skipped: ${note}`);
    console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
    if (process.env.CAPSTAN_SUMMARY) writeFileSync(process.env.CAPSTAN_SUMMARY, JSON.stringify(count));
  }
}
