// The certificate authorities that this system trusts, as its own programs find them, and those in a file that somebody named.
// Trusts nobody itself.
import { readFile } from 'node:fs/promises';
import { Failure } from '../../failure.ts';

/** Debian and Ubuntu; Fedora and RHEL; Alpine, BSD and macOS; openSUSE. */
const SYSTEM_FILES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/cert.pem',
  '/etc/ssl/ca-bundle.pem',
];
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/** None where the system keeps them elsewhere. */
export async function systemCertificates(): Promise<readonly string[]> {
  const texts = await Promise.all(SYSTEM_FILES.map((file) => readFile(file, 'latin1').catch(() => '')));
  return texts.map((text) => text.match(CERTIFICATE) ?? []).find(({ length }) => length > 0) ?? [];
}

/** The certificates alone of a file that may hold a key as well. */
export async function certificatesIn(file: string): Promise<readonly string[]> {
  const found = (await readFile(file, 'latin1').catch(() => '')).match(CERTIFICATE);
  if (found === null) throw new Failure('ca_file_unusable', { file });
  return found;
}
