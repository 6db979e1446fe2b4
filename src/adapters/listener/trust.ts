// Whose certificates are believed when the host itself opens TLS: those this system trusts, as for git and curl, and a team's
// own authority beside them. Node's own list is the last resort.
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { certificatesIn, systemCertificates } from '../system/certificates.ts';

/** Made once: to parse a hundred and fifty certificates takes longer than everything else that opens a cell. */
const contexts = new Map<string, Promise<SecureContext>>();

export async function trusted(caFile: string | undefined): Promise<SecureContext> {
  const own = caFile === undefined ? [] : await certificatesIn(caFile);
  const name = own.join('\n');
  const known = contexts.get(name) ?? contextOf(own);
  contexts.set(name, known);
  return known;
}

async function contextOf(own: readonly string[]): Promise<SecureContext> {
  const system = await systemCertificates();
  return createSecureContext({ ca: [...(system.length > 0 ? system : rootCertificates), ...own] });
}
