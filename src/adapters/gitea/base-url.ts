// The address of a Gitea, as a person types it: refuses one that could carry our token where it must not go.
import { Failure } from '../../failure.ts';

/** Without a trailing slash; may have a path. Throws `remote_url_refused` or `insecure_transport`. */
export function parseBaseUrl(text: string): string {
  const url = parse(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refused(`${url.protocol} is not used`);
  if (url.username !== '' || url.password !== '') throw refused('a credential stands in it');
  if (url.search !== '' || url.hash !== '') throw refused('it has a query or a fragment');
  const plain = `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) throw new Failure('insecure_transport', { url: plain });
  return plain;
}

function parse(text: string): URL {
  try {
    return new URL(text);
  } catch {
    // The cause is dropped on purpose: it quotes what was typed, which may hold a credential.
    throw refused('it is not a well-formed URL');
  }
}

/** Names only: what another name resolves to can change. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function refused(why: string): Failure {
  return new Failure('remote_url_refused', { why });
}
