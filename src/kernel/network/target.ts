// Which host and port a request names, in one spelling. What two programs could read differently is refused, so that the
// name that was judged is the name that is dialled. Allows nothing.
import { readAddress } from './address.ts';
import { HostName, HTTPS_PORT, Port } from './hosts.ts';

export type Target = { readonly host: string; readonly port: number };
/** What a plain request asks for there: its path and what follows, as it goes out. */
export type PlainTarget = Target & { readonly path: string };

const HTTP_PORT = 80;
const CHARACTERS_MAX = 16 * 1024;

/** Of a CONNECT line: `name:port`, and never without a port. */
export function readTunnelTarget(text: string): Target | undefined {
  const [, name = '', port = ''] = /^([^:]*):([1-9]\d{0,4})$/.exec(text) ?? [];
  return targetOf(name, port, HTTPS_PORT);
}

/** Of a request to a proxy: `http://name[:port]/path`. Nothing in front of the name, nothing behind the query. */
export function readPlainTarget(text: string): PlainTarget | undefined {
  if (text.length > CHARACTERS_MAX) return undefined;
  const [, name = '', port = '', path = ''] =
    /^http:\/\/([^:/?#]*)(?::([1-9]\d{0,4}))?(\/[!-~]*|\?[!-~]*)?$/i.exec(text) ?? [];
  const target = targetOf(name, port, HTTP_PORT);
  if (target === undefined || path.includes('#')) return undefined;
  return { ...target, path: path.startsWith('/') ? path : `/${path}` };
}

/** A name as the ClientHello has it, or a Host header without its port. */
export function readHostName(text: string): string | undefined {
  const host = text.toLowerCase();
  // Names whose last label is a number are addresses to a browser and names to others.
  const isNumber = /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/.test(host);
  if (!HostName.safeParse(host).success || (isNumber && readAddress(host) === undefined)) return undefined;
  return host;
}

function targetOf(name: string, digits: string, otherwise: number): Target | undefined {
  // `toLowerCase` makes an ASCII letter of the Kelvin sign: what is not ASCII is refused before it.
  if (!/^[!-~]+$/.test(name)) return undefined;
  const host = readHostName(name);
  const port = digits === '' ? otherwise : Number(digits);
  return host === undefined || !Port.safeParse(port).success ? undefined : { host, port };
}
