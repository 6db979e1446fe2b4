// Whose certificates are believed when the host itself opens TLS: those this system trusts, as for git and curl, and a team's
// own authority beside them. Node's own list is the last resort.
import { readFile } from 'node:fs/promises';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';

/** Debian and Ubuntu; Fedora and RHEL; Alpine, BSD and macOS. */
const SYSTEM_FILES = ['/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/certs/ca-bundle.crt', '/etc/ssl/cert.pem'];

/** Read once: to parse a hundred and fifty certificates takes longer than everything else that opens a cell. */
const contexts = new Map<string, Promise<SecureContext>>();

export async function trusted(caFile: string | undefined): Promise<SecureContext> {
  const own = caFile === undefined ? '' : await readFile(caFile, 'utf8');
  const known =
    contexts.get(own) ?? systemAuthorities().then((system) => createSecureContext({ ca: [...system, own] }));
  contexts.set(own, known);
  return known;
}

async function systemAuthorities(): Promise<readonly string[]> {
  for (const file of SYSTEM_FILES) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text.includes('BEGIN CERTIFICATE')) return [text];
  }
  return rootCertificates;
}
