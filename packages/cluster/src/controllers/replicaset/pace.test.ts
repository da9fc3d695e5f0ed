import { describe, expect, it } from 'vitest';
import { Pace } from './pace.ts';

describe('the pace of a ReplicaSet', () => {
  it('is free for small ones', () => {
    const pace = new Pace();
    pace.looked('a', 499, 1000);
    expect(pace.wait('a', 1000)).toBe(0);
  });

  it('is slower the larger it is, up to a second', () => {
    const pace = new Pace();
    pace.looked('large', 1_000, 1000);
    pace.looked('huge', 50_000, 1000);
    expect(pace.wait('large', 1050)).toBe(150);
    expect(pace.wait('huge', 1050)).toBe(950);
    expect(pace.wait('large', 1200)).toBe(0);
  });

  it('does not stand still when the clock is set back', () => {
    const pace = new Pace();
    pace.looked('a', 1_000, 3_600_000);
    expect(pace.wait('a', 0)).toBe(200);
  });
});
