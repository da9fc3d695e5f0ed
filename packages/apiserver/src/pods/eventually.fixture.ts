import { vi } from 'vitest';

/** Resolves when `check` no longer throws. The deadline is no measure of speed: machines that run tests are busy. */
export const eventually = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 20_000, interval: 10 });
