/** Charts from an OCI registry: tokens, tags, manifests and blobs, each checked against its digest. */

import { compareVersions } from '@capstan/gotemplate';
import { HelmError } from '../errors.ts';
import { basicAuthorization, type Credentials } from './credentials.ts';
import { checkDigest } from './http-repository.ts';
import { chooseVersion, versionOf } from './index-file.ts';
import { type OciReference, tagOf, versionOfTag } from './oci-reference.ts';
import { ask, type HttpAnswer, type Transport } from './transport.ts';

const manifestType = 'application/vnd.oci.image.manifest.v1+json';
const configType = 'application/vnd.cncf.helm.config.v1+json';
const layerTypes = ['application/vnd.cncf.helm.chart.content.v1.tar+gzip', 'application/tar+gzip'];
/** A manifest names a handful of blobs; a list of tags may be long. */
const manifestLimit = 4 * 1024 * 1024;
const maxTagPages = 100;

export interface OciSource {
  readonly transport: Transport;
  readonly credentials?: Credentials | undefined;
  readonly plainHttp?: boolean | undefined;
  readonly limit: number;
}

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

/** The archive of a chart. A digest in the reference wins over its tag, a tag over the range. */
export async function pullFromRegistry(
  reference: OciReference,
  range: string,
  source: OciSource,
): Promise<{ data: Uint8Array; version: string; digest: string }> {
  const registry = new Registry(reference, source);
  const tag = reference.digest ?? reference.tag ?? (await registry.chooseTag(range));
  const answer = await registry.get(`manifests/${tag}`, manifestLimit, manifestType);
  const digest = reference.digest ?? answer.headers['docker-content-digest'] ?? '';
  checkDigest(answer.body, digest, `the manifest ${tag}`);
  const layer = chartLayer(answer.body);
  if (layer.size > source.limit) throw failed(`the chart is larger than ${source.limit} bytes`);
  const { body } = await registry.get(`blobs/${layer.digest}`, source.limit, '*/*');
  checkDigest(body, layer.digest, 'the chart');
  return { data: body, version: reference.digest ? '' : versionOfTag(tag), digest };
}

function failed(message: string): HelmError {
  return new HelmError('DownloadFailed', message);
}

function chartLayer(body: Uint8Array): Descriptor {
  let manifest: { config?: Descriptor; layers?: Descriptor[] };
  try {
    manifest = JSON.parse(new TextDecoder().decode(body)) as typeof manifest;
  } catch {
    throw failed('the manifest is no JSON');
  }
  if (manifest.config?.mediaType !== configType) {
    throw failed(`not a chart: could not find a config with mediatype ${configType}`);
  }
  const layers = Array.isArray(manifest.layers) ? manifest.layers : [];
  const layer = layers.find(each => layerTypes.includes(each?.mediaType));
  if (!layer || !/^sha256:[0-9a-f]{64}$/.test(String(layer.digest)) || typeof layer.size !== 'number') {
    throw failed('manifest does not contain a layer with the chart');
  }
  return layer;
}

class Registry {
  readonly #reference: OciReference;
  readonly #source: OciSource;
  readonly #base: string;
  #authorization: string | undefined;

  constructor(reference: OciReference, source: OciSource) {
    this.#reference = reference;
    this.#source = source;
    this.#base = `${source.plainHttp ? 'http' : 'https'}://${reference.host}/v2/${reference.repository}`;
  }

  /** The newest version in a range among the tags. */
  async chooseTag(range: string): Promise<string> {
    const tags: string[] = [];
    let path: string | undefined = 'tags/list';
    for (let page = 0; path !== undefined && page < maxTagPages; page++) {
      const answer: HttpAnswer = await this.get(path, manifestLimit, 'application/json');
      const { tags: more } = JSON.parse(new TextDecoder().decode(answer.body)) as { tags?: unknown[] };
      tags.push(...(more ?? []).filter(tag => typeof tag === 'string'));
      path = /<[^>]*\/(tags\/list\?[^>]*)>;\s*rel="?next"?/.exec(answer.headers['link'] ?? '')?.[1];
    }
    const versions = tags
      .map(tag => ({ version: versionOfTag(tag), parsed: versionOf(versionOfTag(tag)) }))
      .filter(each => each.parsed !== undefined)
      .sort((left, right) => compareVersions(right.parsed!, left.parsed!));
    const found = chooseVersion(versions, range);
    if (!found) {
      throw new HelmError('NotFound', `could not locate a version matching provided version string ${range}`);
    }
    return tagOf(found.version);
  }

  async get(path: string, limit: number, accept: string): Promise<HttpAnswer> {
    const url = `${this.#base}/${path}`;
    let answer = await this.#ask(url, limit, accept);
    if (answer.status === 401) {
      this.#authorization = await this.#authorize(answer.headers['www-authenticate'] ?? '');
      answer = await this.#ask(url, limit, accept);
    }
    if (answer.status === 404) throw new HelmError('NotFound', `${url}: not found`);
    if (answer.status !== 200) throw failed(`${url}: the registry answered ${answer.status}`);
    return answer;
  }

  #ask(url: string, limit: number, accept: string): Promise<HttpAnswer> {
    const headers = { accept, ...(this.#authorization && { authorization: this.#authorization }) };
    return ask(this.#source.transport, { url, headers, limit });
  }

  /** Answers a challenge: with a token from the place it names, or with the password itself. */
  async #authorize(challenge: string): Promise<string> {
    const { credentials, transport } = this.#source;
    const basic = credentials && basicAuthorization(credentials);
    if (/^basic\b/i.test(challenge) && basic) return basic;
    const fields = new Map([...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(match => [match[1]!, match[2]!]));
    const realm = fields.get('realm');
    if (!/^bearer\b/i.test(challenge) || realm === undefined || !URL.canParse(realm)) {
      throw failed(`${this.#reference.host} asks for credentials`);
    }
    const url = new URL(realm);
    if (url.protocol !== 'https:' && !this.#source.plainHttp) {
      throw failed(
        `${this.#reference.host} sends its callers to ${url.protocol}//${url.host} for a token, without TLS`,
      );
    }
    for (const name of ['service', 'scope']) if (fields.has(name)) url.searchParams.set(name, fields.get(name)!);
    const answer = await ask(transport, {
      url: url.href,
      headers: basic ? { authorization: basic } : {},
      limit: manifestLimit,
    });
    if (answer.status !== 200) throw failed(`${url.host} refused a token: ${answer.status}`);
    const token = JSON.parse(new TextDecoder().decode(answer.body)) as { token?: string; access_token?: string };
    return `Bearer ${token.token ?? token.access_token ?? ''}`;
  }
}
