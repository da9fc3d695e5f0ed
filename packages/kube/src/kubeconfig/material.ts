/** Certificates and keys, from the kubeconfig or from files. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { timestamp } from '../clock.ts';
import type { Material } from './document.ts';
import { KubeconfigError } from './errors.ts';
import { reason } from './load.ts';

/** The PEM text. `owner` is whom the message shall blame: `the user "jane"`. */
export async function readMaterial(material: Material, owner: string): Promise<string> {
  const { field, data, path } = material;
  if (data !== undefined) {
    const text = Buffer.from(data, 'base64').toString('utf8');
    if (!text.includes('-----BEGIN')) {
      throw new KubeconfigError('KUBECONFIG_BAD_CERTIFICATE', `${field}-data of ${owner} is not base64 of PEM`);
    }
    return text;
  }
  const text = await readReferenced(path!, field, owner);
  if (!text.includes('-----BEGIN')) {
    throw new KubeconfigError('KUBECONFIG_BAD_CERTIFICATE', `${field} of ${owner} is not PEM: ${path}`, { file: path });
  }
  return text;
}

export async function readReferenced(path: string, field: string, owner: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const message = `${field} of ${owner} cannot be read: ${path}: ${reason(error)}`;
    throw new KubeconfigError('KUBECONFIG_UNREADABLE', message, { file: path, cause: error });
  }
}

export interface ClientCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** Reads a client certificate and its key, and refuses what the server would refuse without saying why. */
export async function readClientCertificate(
  certificate: Material,
  key: Material,
  owner: string,
  now: number,
): Promise<ClientCertificate> {
  const pair = { certificate: await readMaterial(certificate, owner), key: await readMaterial(key, owner) };
  checkClientCertificate(pair, owner, now, certificate.path);
  return pair;
}

export function checkClientCertificate(pair: ClientCertificate, owner: string, now: number, file?: string): void {
  const where = file === undefined ? '' : ` (${file})`;
  const bad = (what: string): KubeconfigError =>
    new KubeconfigError('KUBECONFIG_BAD_CERTIFICATE', `the client certificate of ${owner}${where} ${what}`, { file });
  const parsed = attempt(() => new X509Certificate(pair.certificate));
  if (parsed === undefined) throw bad('is not a certificate');
  const key = attempt(() => createPrivateKey(pair.key));
  if (key === undefined) throw bad('comes with a key that is not one');
  if (!parsed.checkPrivateKey(key)) throw bad('does not belong to its key');
  const [from, to] = [parsed.validFromDate.getTime(), parsed.validToDate.getTime()];
  if (now > to) {
    const message = `the client certificate of ${owner}${where} expired on ${timestamp(to)}: renew it`;
    throw new KubeconfigError('KUBECONFIG_EXPIRED_CERTIFICATE', message, { file });
  }
  if (now < from) throw bad(`is not valid before ${timestamp(from)}: is the clock right?`);
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
