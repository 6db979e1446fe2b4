// Opens a connection to a host that was allowed: its name is resolved here, every address judged, and dialled as the address
// that was judged. No second look at the name: between two looks it can be given another address.
import { lookup } from 'node:dns/promises';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { AllowedHost } from '../../kernel/network/hosts.ts';
import { addressRefusal, type Refusal } from '../../kernel/network/decide.ts';

/** All addresses of a name; rejects when it has none. */
export type Resolve = (host: string) => Promise<readonly string[]>;
/** `name_unknown`, `unreachable`: it was allowed, and nothing came of it. */
export type NotDialled = Refusal | 'name_unknown' | 'unreachable';
type Dialled = { readonly is: 'open'; readonly socket: Socket } | { readonly is: 'not'; readonly because: NotDialled };

const RESOLVE_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 10_000;
const ADDRESSES_MAX = 4;

export async function systemResolve(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

export async function dial(line: AllowedHost, resolve: Resolve): Promise<Dialled> {
  const looked = await addressesOf(line, resolve);
  if ('because' in looked) return { is: 'not', because: looked.because };
  for (const address of looked.addresses) {
    const socket = await connected(address, line.port);
    if (socket !== undefined) return { is: 'open', socket };
  }
  return { is: 'not', because: 'unreachable' };
}

/** Those that may be dialled; a name may have others as well, which nobody dials. */
async function addressesOf(
  { host, range }: Pick<AllowedHost, 'host' | 'range'>,
  resolve: Resolve,
): Promise<{ readonly addresses: readonly string[] } | { readonly because: NotDialled }> {
  const late = wait(RESOLVE_TIMEOUT_MS, [], { ref: false });
  const found = await Promise.race([resolve(host), late]).catch(() => []);
  const refusals = found.map((address) => addressRefusal(address, range));
  const addresses = found.filter((_, i) => refusals[i] === undefined).slice(0, ADDRESSES_MAX);
  return addresses.length > 0 ? { addresses } : { because: refusals[0] ?? 'name_unknown' };
}

function connected(address: string, port: number): Promise<Socket | undefined> {
  const socket = connect({ host: address, port, noDelay: true, allowHalfOpen: true, timeout: CONNECT_TIMEOUT_MS });
  return new Promise((resolve) => {
    const give = (made: Socket | undefined): void => {
      socket.removeAllListeners().setTimeout(0);
      // Whoever gets it hears of later errors on its own.
      socket.on('error', () => undefined);
      if (made === undefined) socket.destroy();
      resolve(made);
    };
    socket.once('connect', () => give(socket));
    socket.once('timeout', () => give(undefined));
    socket.once('error', () => give(undefined));
  });
}
