// The hosts that something may reach, as people write them down: an exact name and a port. Resolves nothing, and allows
// nothing: whoever opens a connection asks decide.ts.
import { z } from 'zod';
import { Slug } from '../values.ts';

export const HOSTS_MAX = 64;
export const HTTPS_PORT = 443;
const HOST_CHARACTERS_MAX = 253;

/** One spelling: lower case, ASCII, labels that begin and end with a letter or digit, no dot at the end. Or four numbers. */
export const HostName = z
  .string()
  .max(HOST_CHARACTERS_MAX)
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/,
    'is no host name in lower case',
  );
export const Port = z.int().min(1).max(65_535);
/** Addresses as `10.1.0.0/16` or `fd00:1::/32`. */
export const AddressRange = z
  .union([z.cidrv4(), z.cidrv6()])
  .describe('addresses that are not public, which only a range named here opens');

/** `name` or `name:port`; a host whose addresses are not public needs all three words. */
export const AllowedHost = z.union([
  z
    .string()
    .regex(/^[a-z0-9.-]+(?::\d{1,5})?$/, 'is written as name or name:port, in lower case')
    .transform((text) => {
      const [host = '', port = String(HTTPS_PORT)] = text.split(':');
      return { host, port: Number(port), range: null };
    })
    .pipe(z.strictObject({ host: HostName, port: Port, range: z.null() })),
  z.strictObject({ host: HostName, port: Port, range: AddressRange.nullable().default(null) }),
]);
export type AllowedHost = z.infer<typeof AllowedHost>;

/** A route's or an agent's name in addresses: `/_route/<name>/`. */
export const RouteName = Slug;

type HostAndPort = { readonly host: string; readonly port: number };

/** How a host that an agent may reach is called in a grant's scope and in a birth. */
export function hostWord({ host, port }: HostAndPort): string {
  return `hosts/${host}:${port}`;
}

/** How one is that only what prepares dependencies may reach. */
export function prepareWord({ host, port }: HostAndPort): string {
  return `${PREPARE}${host}:${port}`;
}

/** What an agent's entry in policy would have to say, for it to be open. */
export function hostAllowed({ host, port }: HostAndPort): string {
  return `hosts: [${JSON.stringify(port === HTTPS_PORT ? host : `${host}:${port}`)}]`;
}

export function routeWord(route: string): string {
  return `routes/${route}`;
}

export function isForPreparing(word: string): boolean {
  return word.startsWith(PREPARE);
}

const PREPARE = 'prepare/';
