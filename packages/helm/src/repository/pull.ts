/** One way to a chart wherever it is: a folder, an archive, an address, a repository, a registry. */

import type { Chart } from '../chart/chart.ts';
import { defaultChartLimits } from '../chart/limits.ts';
import { type LoadOptions, loadArchive, loadChart } from '../chart/load.ts';
import type { Credentials } from './credentials.ts';
import { pullFromRepository, pullFromUrl } from './http-repository.ts';
import { parseOciReference } from './oci-reference.ts';
import { pullFromRegistry } from './oci-registry.ts';
import { httpTransport, type Transport } from './transport.ts';

export interface PullOptions extends LoadOptions {
  /** The address of an HTTP repository, where the reference is only a name. */
  readonly repository?: string;
  /** A version or a range. Default: the newest that is no pre-release. */
  readonly version?: string;
  readonly credentials?: Credentials;
  /** Send the credentials to other hosts that an index names, too. */
  readonly passCredentials?: boolean;
  /** Speak HTTP to an OCI registry. */
  readonly plainHttp?: boolean;
  /** In place of HTTP, for tests. */
  readonly transport?: Transport;
}

export interface Pulled {
  /** The archive. */
  readonly data: Uint8Array;
  /** Empty where only the archive itself says it. */
  readonly version: string;
}

/**
 * Fetches the archive of a chart.
 *
 * ```ts
 * await pullChart('shop', { repository: 'https://charts.example.com', version: '^1.2' });
 * await pullChart('oci://registry.example.com/charts/shop', { version: '1.2.3' });
 * ```
 */
export async function pullChart(reference: string, options: PullOptions = {}): Promise<Pulled> {
  const range = options.version ?? '';
  const source = {
    transport: options.transport ?? httpTransport,
    credentials: options.credentials,
    passCredentials: options.passCredentials,
    plainHttp: options.plainHttp,
    limit: options.limits?.packedBytes ?? defaultChartLimits.packedBytes,
  };
  if (reference.startsWith('oci://')) return pullFromRegistry(parseOciReference(reference), range, source);
  if (/^https?:\/\//.test(reference)) return { data: await pullFromUrl(reference, source), version: '' };
  return pullFromRepository(options.repository ?? '', reference, range, source);
}

/** A chart from wherever the reference points; without a repository and a scheme it is a path. */
export async function findChart(reference: string, options: PullOptions = {}): Promise<Chart> {
  const remote = options.repository !== undefined || /^(oci|https?):\/\//.test(reference);
  if (!remote) return loadChart(reference, options);
  return loadArchive((await pullChart(reference, options)).data, options);
}
