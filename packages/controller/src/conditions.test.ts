import { describe, expect, it } from 'vitest';
import { isTrue, type NewCondition, setCondition } from './conditions.ts';

const noon = Date.UTC(2026, 0, 1, 12);
const ready: NewCondition = {
  type: 'Ready',
  status: 'True',
  reason: 'Running',
  message: 'all is well',
  observedGeneration: 1,
};

describe('setting a condition', () => {
  const first = setCondition(undefined, ready, noon);

  it('adds it with the time', () => {
    expect(first).toEqual([{ ...ready, lastTransitionTime: '2026-01-01T12:00:00Z' }]);
    expect(isTrue(first, 'Ready')).toBe(true);
    expect(isTrue(first, 'Done')).toBe(false);
  });

  it('gives the same array back when nothing changes', () => {
    expect(setCondition(first, ready, noon + 60_000)).toBe(first);
  });

  it('keeps the time while the status stays', () => {
    const [changed] = setCondition(first, { ...ready, reason: 'Busy' }, noon + 60_000);
    expect(changed).toMatchObject({ reason: 'Busy', lastTransitionTime: '2026-01-01T12:00:00Z' });
  });

  it('moves the time with the status, and leaves the others alone', () => {
    const both = setCondition(first, { ...ready, type: 'Done' }, noon);
    const [changed, other] = setCondition(both, { ...ready, status: 'False' }, noon + 60_000);
    expect(changed).toMatchObject({ status: 'False', lastTransitionTime: '2026-01-01T12:01:00Z' });
    expect(other).toBe(both[1]);
  });
});
