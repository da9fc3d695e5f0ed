import type { Clock } from '../clock.ts';
import type { Credential, Credentials } from '../http/credentials.ts';

/**
 * How long what was read is used before the file is looked at again. Kubernetes renews the tokens it mounts at 80 % of their
 * life, of ten minutes at least: a minute is soon enough by far, and one read a minute costs nothing.
 */
const PERIOD = 60_000;

/** Credentials that are read from files, which someone else renews. A file that fails to be read keeps what was read last. */
export async function fileCredentials(read: () => Promise<Credential>, clock: Clock): Promise<Credentials> {
  let held = await read();
  let readAt = clock.monotonic();
  let reading: Promise<void> | undefined;

  const refresh = (): Promise<void> => {
    reading ??= read()
      .then(fresh => {
        if (!same(fresh, held)) held = fresh;
      })
      .catch(() => {})
      .finally(() => {
        readAt = clock.monotonic();
        reading = undefined;
      });
    return reading;
  };

  return {
    async current() {
      if (clock.monotonic() - readAt >= PERIOD) await refresh();
      return held;
    },
    async refused(credential) {
      if (same(credential, held)) await refresh();
      return !same(credential, held);
    },
  };
}

function same(left: Credential, right: Credential): boolean {
  return (
    left.authorization === right.authorization &&
    left.certificate?.certificate === right.certificate?.certificate &&
    left.certificate?.key === right.certificate?.key
  );
}
