import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { chartArchive } from '../testing/archives.ts';
import { findEntry, parseIndex } from './index-file.ts';
import { parseOciReference } from './oci-reference.ts';
import { findChart, pullChart } from './pull.ts';
import type { HttpAnswer, HttpQuestion, Transport } from './transport.ts';

const archive = await chartArchive({ 'shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.2.3\n' });
const sha256 = (data: Uint8Array | string) => createHash('sha256').update(data).digest('hex');

/** Answers by address; notes what was asked. */
function answering(pages: Record<string, (question: HttpQuestion) => Partial<HttpAnswer>>) {
  const asked: HttpQuestion[] = [];
  const transport: Transport = async question => {
    asked.push(question);
    const page = pages[question.url];
    return { status: page ? 200 : 404, headers: {}, body: new Uint8Array(), ...page?.(question) };
  };
  return { asked, transport };
}

const bytes = (text: string) => new TextEncoder().encode(text);

const index = (digest = sha256(archive)) => `
apiVersion: v1
entries:
  shop:
    - {name: shop, version: 1.2.3, urls: [shop-1.2.3.tgz], digest: ${digest}}
    - {name: shop, version: 2.0.0-beta.1, urls: [shop-beta.tgz]}
    - {name: shop, version: 1.10.0, urls: [https://elsewhere.example.com/shop-1.10.0.tgz]}
    - {name: shop, version: not a version, urls: [x]}
    - {name: shop, version: 3.0.0, urls: []}
`;

describe('an index', () => {
  const parsed = parseIndex(index());

  it.each([
    ['', '1.10.0'],
    ['1.2.x', '1.2.3'],
    ['>1.0.0-0', '2.0.0-beta.1'],
    ['2.0.0-beta.1', '2.0.0-beta.1'],
    ['^1.2', '1.10.0'],
  ])('gives for the range %j the version %s', (range, version) => {
    expect(findEntry(parsed, 'shop', range).version).toBe(version);
  });

  it('says what it does not have', () => {
    expect(() => findEntry(parsed, 'shop', '>=9')).toThrow('no chart version found for shop->=9');
    expect(() => findEntry(parsed, 'none', '')).toThrow('chart "none" not found');
  });

  it.each(['', 'a', '- b', 'entries: {}', 'apiVersion: v1\nentries: [a]', 'a: b: c'])('refuses %j', text => {
    expect(() => parseIndex(text)).toThrow();
  });
});

describe('an HTTP repository', () => {
  it('gives a chart whose digest is the promised one', async () => {
    const { transport } = answering({
      'https://charts.example.com/x/index.yaml': () => ({ body: bytes(index()) }),
      'https://charts.example.com/x/shop-1.2.3.tgz': () => ({ body: archive }),
    });
    const chart = await findChart('shop', { repository: 'https://charts.example.com/x', version: '~1.2', transport });
    expect(chart.metadata.version).toBe('1.2.3');
  });

  it('gives no chart whose digest is another', async () => {
    const { transport } = answering({
      'https://charts.example.com/index.yaml': () => ({ body: bytes(index(sha256('other'))) }),
      'https://charts.example.com/shop-1.2.3.tgz': () => ({ body: archive }),
    });
    const pulled = pullChart('shop', { repository: 'https://charts.example.com', version: '1.2.3', transport });
    await expect(pulled).rejects.toThrow('has the digest');
  });

  it('keeps credentials to its own host, also over redirects', async () => {
    const { asked, transport } = answering({
      'https://charts.example.com/index.yaml': () => ({ body: bytes(index('""')) }),
      'https://charts.example.com/shop-1.2.3.tgz': () => ({
        status: 302,
        headers: { location: 'https://cdn.example.com/a.tgz' },
      }),
      'https://cdn.example.com/a.tgz': () => ({ body: archive }),
    });
    const credentials = { username: 'ada', password: 'secret' };
    await pullChart('shop', { repository: 'https://charts.example.com', version: '1.2.3', credentials, transport });
    expect(asked.map(question => 'authorization' in question.headers!)).toEqual([true, true, false]);
  });

  it('is not followed in circles', async () => {
    const { transport } = answering({
      'https://a.example.com/c.tgz': () => ({ status: 302, headers: { location: '/c.tgz' } }),
    });
    await expect(pullChart('https://a.example.com/c.tgz', { transport })).rejects.toThrow('redirects more than 10');
  });
});

describe('an OCI registry', () => {
  const digest = `sha256:${sha256(archive)}`;
  const manifest = JSON.stringify({
    schemaVersion: 2,
    config: { mediaType: 'application/vnd.cncf.helm.config.v1+json', digest, size: 2 },
    layers: [{ mediaType: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip', digest, size: archive.length }],
  });
  const base = 'https://registry.example.com/v2/charts/shop';
  const guarded = (page: Partial<HttpAnswer>) => (question: HttpQuestion) =>
    question.headers?.['authorization'] === 'Bearer t0ken'
      ? page
      : {
          status: 401,
          headers: { 'www-authenticate': 'Bearer realm="https://auth.example.com/token",service="r",scope="pull"' },
        };
  const pages = {
    [`${base}/tags/list`]: guarded({ body: bytes('{"tags":["1.2.3","1.3.0_build","latest"]}') }),
    [`${base}/manifests/1.3.0_build`]: guarded({ body: bytes(manifest) }),
    [`${base}/manifests/sha256:${sha256(manifest)}`]: guarded({ body: bytes(manifest) }),
    [`${base}/blobs/${digest}`]: guarded({ body: archive }),
    'https://auth.example.com/token?service=r&scope=pull': () => ({ body: bytes('{"token":"t0ken"}') }),
  };

  it('gives the newest version in a range, with a token', async () => {
    const { transport } = answering(pages);
    const pulled = await pullChart('oci://registry.example.com/charts/shop', { version: '^1.2', transport });
    expect(pulled.version).toBe('1.3.0+build');
  });

  it('gives what a digest pins, and nothing else', async () => {
    const pinned = `oci://registry.example.com/charts/shop@sha256:${sha256(manifest)}`;
    expect((await findChart(pinned, { transport: answering(pages).transport })).metadata.name).toBe('shop');
    const changed = { ...pages, [`${base}/manifests/sha256:${sha256(manifest)}`]: guarded({ body: bytes('{}') }) };
    await expect(pullChart(pinned, { transport: answering(changed).transport })).rejects.toThrow('has the digest');
  });

  it('refuses what is no chart', async () => {
    const other = { ...pages, [`${base}/manifests/1.3.0_build`]: guarded({ body: bytes('{"config":{}}') }) };
    const pulled = pullChart('oci://registry.example.com/charts/shop:1.3.0+build', {
      transport: answering(other).transport,
    });
    await expect(pulled).rejects.toThrow('not a chart');
  });

  it.each(['oci://', 'oci://host', 'oci://host/UPPER', 'oci://h/a@sha256:12', 'oci://h/../x'])('refuses %s', text => {
    expect(() => parseOciReference(text)).toThrow('invalid reference');
  });
});
