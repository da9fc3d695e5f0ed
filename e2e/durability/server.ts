/** An API server on the file that is named, for a test that kills it. Prints its address as soon as it answers. */
import { ADMIN, createApiServer, listen } from '@capstan/apiserver';

const server = await createApiServer({ file: process.argv[2]! });
const { url } = await listen(server, { authenticate: () => ADMIN });
process.stdout.write(`${url}\n`);
