import { describe, expect, it } from 'vitest';
import { ApiError, isAlreadyExists, isConflict, isGone, isNotFound, isTransient, TransportError } from './errors.ts';
import type { Status } from './object.ts';

const error = (code: number, reason?: string): ApiError => {
  const status: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code };
  return new ApiError(reason === undefined ? status : { ...status, reason });
};

describe('telling errors apart', () => {
  it('goes by the reason, and by the code only where there is none', () => {
    expect(isConflict(error(409, 'Conflict'))).toBe(true);
    expect(isConflict(error(409, 'AlreadyExists'))).toBe(false);
    expect(isAlreadyExists(error(409, 'AlreadyExists'))).toBe(true);
    expect(isConflict(error(409))).toBe(true);
    expect(isNotFound(error(404))).toBe(true);
    expect(isNotFound(new Error('404'))).toBe(false);
    expect([error(410, 'Expired'), error(410, 'Gone'), error(410)].every(isGone)).toBe(true);
  });

  it('knows what may be better next time', () => {
    expect([error(429), error(500), error(503), new TransportError('ECONNRESET', '')].every(isTransient)).toBe(true);
    expect([error(400), error(404), error(409), error(501), new Error('x')].some(isTransient)).toBe(false);
  });

  it('has a message even where the server had none', () => {
    expect(error(418).message).toBe('the API server answered 418');
    expect(error(418).causes).toEqual([]);
    expect(error(418).retryAfterSeconds).toBeUndefined();
  });
});
