/** A port was asked for, or any near the usual one will do. */
import { type ApiServer, type Listener, type ListenOptions, listen } from '@capstan/apiserver';

export const USUAL_PORT = 6443;
/** How far from the usual port it is still found by looking. */
const TRIES = 20;

export async function listenOn(
  server: ApiServer,
  wanted: number | undefined,
  options: Omit<ListenOptions, 'port'>,
): Promise<Listener> {
  if (wanted !== undefined) {
    return listen(server, { ...options, port: wanted }).catch(error => {
      throw taken(error, wanted);
    });
  }
  for (let port = USUAL_PORT; port < USUAL_PORT + TRIES; port++) {
    try {
      return await listen(server, { ...options, port });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
  throw new Error(`no port from ${USUAL_PORT} to ${USUAL_PORT + TRIES - 1} is free; name another one with --port.`);
}

function taken(error: NodeJS.ErrnoException, port: number): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new Error(`port ${port} is taken by another program. Stop it, or choose another port with --port.`);
    case 'EACCES':
      return new Error(`port ${port} needs root. Choose one above 1023 with --port.`);
    default:
      return error;
  }
}
