// Brings what the repository needs, once: the locked npm packages and, where the machine's own Node is too old, Node 24.
// Nothing outside this folder is touched. Plain JavaScript without dependencies, because any Node has to be able to run it.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeSetupLock } from './setup-lock.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const fetchedNode = join(root, 'tools/node/node_modules', `node-${process.platform}-${process.arch}`, 'bin/node');
const nodeIsGood = process.execPath !== fetchedNode && isSupported(process.versions.node);

function isSupported(version) {
  const [major, minor] = version.split('.').map(Number);
  return (major === 24 && minor >= 17) || major >= 26;
}

function fail(message) {
  console.error(`capstan: ${message}`);
  process.exit(1);
}

/** What an installation was made from: the same text means that there is nothing to do. */
function fingerprint(folder) {
  const hash = createHash('sha256').update(readFileSync(join(root, folder, 'package-lock.json')));
  if (folder === '.') {
    for (const name of readdirSync(join(root, 'packages')).sort()) {
      const manifest = join(root, 'packages', name, 'package.json');
      if (existsSync(manifest)) hash.update(readFileSync(manifest));
    }
  }
  return `${hash.digest('hex')} ${process.platform} ${process.arch} ${nodeIsGood ? 'own' : 'fetched'} node`;
}

const stampOf = folder => join(root, folder, 'node_modules/.capstan-setup');

function isInstalled(folder) {
  return existsSync(stampOf(folder)) && readFileSync(stampOf(folder), 'utf8') === fingerprint(folder);
}

function install(folder, what, node, lock, afterwards = () => {}) {
  if (isInstalled(folder)) return;

  console.error(`capstan: installing ${what}, once`);
  const { status, signal } = spawnSync(
    node,
    [process.env.npm_execpath, 'ci', '--loglevel=error', '--no-audit', '--no-fund'],
    {
      cwd: join(root, folder),
      env: { ...process.env, PATH: dirname(node) + delimiter + process.env.PATH },
      stdio: ['inherit', 'inherit', 'inherit', lock.fd],
    },
  );
  if (signal) fail(`installing ${what} was stopped by ${signal}; run the same command again to go on.`);
  if (status !== 0) {
    fail(
      `could not install ${what}. Is the npm registry reachable ("npm ping"), is there disk space ("df -h .")? ` +
        'Behind a proxy, set it with "npm config set proxy http://host:port". Then run the same command again.',
    );
  }
  afterwards();
  writeFileSync(stampOf(folder), fingerprint(folder));
}

/** npm and npx put node_modules/.bin first on PATH, so with this link "node" is Node 24 for every script. */
function linkFetchedNode() {
  const link = join(root, 'node_modules/.bin/node');
  mkdirSync(dirname(link), { recursive: true });
  rmSync(link, { force: true });
  symlinkSync(fetchedNode, link);
}

function setUp(lock) {
  if (!nodeIsGood) {
    const reason = `this machine's ${process.versions.node} is too old`;
    install('tools/node', `Node 24, because ${reason} (190 MB)`, process.execPath, lock);
    if (!existsSync(fetchedNode)) {
      fail(
        `there is no ready-made Node 24 for ${process.platform}-${process.arch}. ` +
          'Install Node 24.17 or later yourself (nodejs.org), put it on PATH, and run the same command again.',
      );
    }
  }
  const node = nodeIsGood ? process.execPath : fetchedNode;
  install('.', 'the packages', node, lock, nodeIsGood ? undefined : linkFetchedNode);
}

if (!process.env.npm_execpath) fail('run this through npm: "npm start", "npm test" or "npm run setup".');

// The usual case is that there is nothing to do, and nobody waits for that.
const folders = nodeIsGood ? ['.'] : ['tools/node', '.'];
if (!folders.every(isInstalled)) {
  const lock = await takeSetupLock(root, () => console.error('capstan: waiting for another set-up of this folder'));
  setUp(lock);
  lock.release();
}
