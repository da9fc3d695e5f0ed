/**
 * Asks a real kube-apiserver what it makes of the cases in packages/apiserver/src/builtins/fixtures and writes its answers
 * beside them: the tests there hold our built-in kinds against these. Where the server is comes from the environment:
 *
 *   npx node e2e/real/serve.ts > real.env &   (then)   set -a; . ./real.env; npx node scripts/schemas/record-answers.ts [topic …]
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import path from 'node:path';
import { parse } from 'yaml';
import { builtinKinds } from '../../packages/apiserver/src/builtins/index.ts';
import {
  type Case,
  cleanAnswer,
  expandCase,
  type RecordedAnswer,
  type RecordedCase,
} from '../../packages/apiserver/src/builtins/recorded-cases.fixture.ts';
import { requiredVariable } from './environment.ts';

type Body = Record<string, unknown> & { metadata: { name?: string; generateName?: string } };

const folder = path.resolve(import.meta.dirname, '../../packages/apiserver/src/builtins/fixtures');
const bases = parse(readFileSync(path.join(folder, 'bases.yaml'), 'utf8'));
const wanted = process.argv.slice(2);
const topics = readdirSync(folder)
  .filter(file => file.endsWith('.cases.yaml'))
  .map(file => file.slice(0, -'.cases.yaml'.length));

for (const topic of topics.filter(one => wanted.length === 0 || wanted.includes(one))) {
  const cases = parse(readFileSync(path.join(folder, `${topic}.cases.yaml`), 'utf8')) as Case[];
  const recorded: RecordedCase[] = [];
  for (const one of cases) recorded.push(await record(one));
  writeFileSync(
    path.join(folder, `${topic}.answers.json`),
    `[\n${recorded.map(one => JSON.stringify(one)).join(',\n')}\n]\n`,
  );
  console.log(`${topic}: ${recorded.length} cases`);
}

async function record(one: Case): Promise<RecordedCase> {
  const object = expandCase(one, bases) as Body;
  const collection = collectionOf(object);
  if (one.patch === undefined) {
    return { name: one.name, object, answer: await ask('POST', `${collection}?dryRun=All`, object) };
  }
  const item = `${collection}/${object.metadata.name}`;
  await remove(item);
  const created = await ask('POST', collection, object);
  if (created.code !== 201) throw new Error(`${one.name}: ${JSON.stringify(created.body)}`);
  const suffix = one.through === undefined ? '' : `/${one.through}`;
  const answer = await ask('PATCH', `${item}${suffix}?dryRun=All`, one.patch, 'application/merge-patch+json');
  await remove(item);
  return {
    name: one.name,
    object: created.body,
    patch: one.patch,
    ...(one.through !== undefined && { through: one.through }),
    answer,
  };
}

/** No controller runs that would take finalizers away. */
async function remove(item: string): Promise<void> {
  await ask('DELETE', `${item}?gracePeriodSeconds=0&propagationPolicy=Background`);
  await ask('PATCH', item, { metadata: { finalizers: null } }, 'application/merge-patch+json');
}

function collectionOf(object: Body): string {
  const [group, version] = String(object['apiVersion']).includes('/')
    ? (String(object['apiVersion']).split('/') as [string, string])
    : ['', String(object['apiVersion'])];
  const kind = builtinKinds().find(
    one => one.kind === object['kind'] && one.group === group && one.version === version,
  );
  if (kind === undefined) throw new Error(`no kind ${object['apiVersion']} ${object['kind']}`);
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${root}${kind.namespaced ? '/namespaces/default' : ''}/${kind.plural}`;
}

function ask(
  method: string,
  target: string,
  body?: unknown,
  contentType = 'application/json',
): Promise<RecordedAnswer> {
  return new Promise((resolve, reject) => {
    const request = https.request(
      `${requiredVariable('URL')}${target}`,
      {
        method,
        ca: readFileSync(requiredVariable('CA')),
        headers: { authorization: `Bearer ${requiredVariable('TOKEN')}`, 'content-type': contentType },
      },
      response => {
        const chunks: Buffer[] = [];
        response.on('data', chunk => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const warnings = response.headers['warning'];
          resolve(cleanAnswer(response.statusCode ?? 0, JSON.parse(Buffer.concat(chunks).toString()), warnings));
        });
      },
    );
    request.on('error', reject);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
