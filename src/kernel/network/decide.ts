// Whether a host may be asked, and whether an address that its name resolved to may be dialled. The list is all there is:
// nothing is allowed because it looks like something that is. Opens nothing.
import { isWithin, kindOf, readAddress } from './address.ts';
import type { AllowedHost } from './hosts.ts';
import type { Target } from './target.ts';

/** Why something was refused, in a word that stands in a header, a record and a status. */
export type Refusal =
  | 'request_malformed'
  | 'name_malformed'
  | 'host_not_listed'
  | 'address_not_public'
  | 'address_outside_range'
  | 'address_never'
  | 'server_name_missing'
  | 'other_server_name'
  | 'tunnel_not_tls'
  | 'too_many_bytes'
  | 'too_many_connections';

/** The line of the list for exactly this host and this port. */
export function lineFor(hosts: readonly AllowedHost[], { host, port }: Target): AllowedHost | undefined {
  return hosts.find((line) => line.host === host && line.port === port);
}

/** Undefined: it may be dialled. A range that is named narrows as well: what lies outside of it is not who was meant. */
export function addressRefusal(text: string, range: string | null): Refusal | undefined {
  const address = readAddress(text);
  // Also one with a zone behind it, `fe80::1%eth0`.
  if (address === undefined) return 'address_never';
  const kind = kindOf(address);
  if (kind === 'never') return 'address_never';
  if (range !== null) return isWithin(range, address) ? undefined : 'address_outside_range';
  return kind === 'public' ? undefined : 'address_not_public';
}

/** Of a tunnel: what its ClientHello asks for has to be the host that was judged. An address is asked for by no name. */
export function serverNameRefusal({ host }: Target, serverName: string | undefined): Refusal | undefined {
  if (serverName === undefined) return readAddress(host) === undefined ? 'server_name_missing' : undefined;
  return serverName === host ? undefined : 'other_server_name';
}
