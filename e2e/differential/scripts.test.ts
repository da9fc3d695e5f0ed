import { describe, expect, it } from 'vitest';
import { readFixture } from './fixture.ts';
import { scripts } from './scripts/index.ts';

describe('the scripts', () => {
  it('hold at least 300 requests', () => {
    expect(scripts.flatMap(({ steps }) => steps).length).toBeGreaterThanOrEqual(300);
  });

  it('have names of their own', () => {
    expect(new Set(scripts.map(({ name }) => name)).size).toBe(scripts.length);
  });

  for (const script of scripts) {
    const titles = script.steps.map(({ title }) => title);

    it(`have a title of its own for every step: ${script.name}`, () => {
      expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
    });

    it(`are recorded as they are written: ${script.name}`, () => {
      const recorded = readFixture(script).answers.map(({ title, request }) => `${title}: ${request}`);
      expect(recorded).toEqual(script.steps.map(({ title, method, path }) => `${title}: ${method} ${path}`));
    });
  }
});
