// capstan/demo-http: a small web server that says who it is. Plain JavaScript with one import: a Pod of it starts as fast as Node does.
import { createServer } from 'node:http';

const { POD_IP = '127.0.0.1', POD_NAME = 'unknown', VERSION = 'latest', MESSAGE, PORT = '8080' } = process.env;
/** Milliseconds before it answers `/healthz` with 200: a slow start, for trying readiness probes. */
const readyAfter = Number(process.env.DELAY ?? 0) * 1000;
/**
 * When it is told to end it goes on answering for so long, since callers learn of it a little later; then it takes no more connections, and requests
 * under way have a few seconds.
 */
const drain = Number(process.env.DRAIN ?? 1) * 1000;
const LAST_REQUESTS = 5000;
const began = Date.now();
let ending = false;

const server = createServer((request, response) => {
  const path = request.url ?? '/';
  const ready = !ending && Date.now() - began >= readyAfter;
  if (path === '/healthz') {
    response.writeHead(ready ? 200 : 503, { 'content-type': 'text/plain' }).end(ready ? 'ok\n' : 'not ready\n');
    return;
  }
  const lines = [MESSAGE, `pod ${POD_NAME}`, `path ${path}`, `version ${VERSION}`].filter(Boolean);
  response.writeHead(200, { 'content-type': 'text/plain', ...(ending && { connection: 'close' }) });
  response.end(`${lines.join('\n')}\n`);
  console.log(`${request.method} ${path}`);
});

server.on('error', error => {
  console.error(`cannot listen on ${POD_IP}:${PORT}: ${error.message}`);
  process.exitCode = 1;
});
server.listen(Number(PORT), POD_IP, () => console.log(`listening on http://${POD_IP}:${PORT}`));

process.on('SIGTERM', () => {
  ending = true;
  console.log('ending');
  setTimeout(() => {
    server.close();
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), LAST_REQUESTS).unref();
  }, drain);
});
