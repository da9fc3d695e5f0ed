/** The authority that signs the server's certificate, and the key that signs tokens: made once, kept in the data folder. */
import { createPrivateKey } from 'node:crypto';
import { newServiceAccountKey } from '@capstan/apiserver';
import { type Authority, createAuthority, loadAuthority } from '@capstan/kube';
import type { DataFolder } from './data-folder.ts';

export function authorityOf(folder: DataFolder): Authority {
  const certificate = folder.read('ca.crt');
  const key = folder.read('ca.key');
  if (certificate !== undefined && key !== undefined) {
    try {
      return loadAuthority({ certificate, key });
    } catch (error) {
      const why = (error as Error).message;
      throw new Error(
        `ca.crt and ca.key in ${folder.path} cannot be read (${why}). Delete both: new ones are made, and kubeconfigs given out before stop working.`,
      );
    }
  }
  const authority = createAuthority({ commonName: 'capstan' });
  folder.write('ca.key', authority.key);
  folder.write('ca.crt', authority.certificate);
  return authority;
}

/** Tokens of service accounts stay good over a restart. */
export function serviceAccountKeyOf(folder: DataFolder): string {
  const key = folder.read('service-account.key');
  if (key !== undefined) {
    refuseDamaged(folder, key);
    return key;
  }
  const fresh = newServiceAccountKey();
  folder.write('service-account.key', fresh);
  return fresh;
}

function refuseDamaged(folder: DataFolder, key: string): void {
  try {
    createPrivateKey(key);
  } catch (error) {
    throw new Error(
      `service-account.key in ${folder.path} cannot be read (${(error as Error).message}). Delete it: a new one is made, and tokens of service accounts given out before stop working.`,
    );
  }
}
