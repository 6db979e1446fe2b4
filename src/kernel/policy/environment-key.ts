// The name of what was prepared: a digest over all that preparing sees. Two preparations with one key were given the same
// things by the same people, so one result serves both. Reads no file, and asks no machine: what there was is an argument.
import { utf8 } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import { jcs } from '../../format/jcs.ts';
import { hostWord } from '../network/hosts.ts';
import type { Environment } from './environment.ts';

/** Another number: nothing that was prepared before is found any more. */
const KEY_FORMAT = 'lazarus environment v2';

/** A named file of the tree, as the commit has it. */
export type PreparedFile = { readonly path: string; readonly mode: '100644' | '100755'; readonly bytes: Uint8Array };

/** What stands for one program of the host's, or for one folder of tools: another version, another word. */
export type ToolPrint = { readonly name: string; readonly print: string };

export type Seen = {
  readonly environment: Environment;
  readonly files: readonly PreparedFile[];
  readonly toolchain: readonly ToolPrint[];
  /** `base`: the protected branch. An attempt's own files make entries that no other attempt is ever given. */
  readonly origin: string;
  /** Trusted beside the system's by what is asked over TLS: with other ones somebody else may have answered. */
  readonly certificates: readonly string[];
};

export function environmentKey(seen: Seen, crypto: Crypto): string {
  const { environment, files, toolchain, origin, certificates } = seen;
  const { prepare, offline, hosts, tools, makes, writable, path, given } = environment;
  const digest = (bytes: Uint8Array): string => crypto.hashHex('sha256', bytes);
  const all = {
    format: KEY_FORMAT,
    files: byPath(files.map((file) => ({ path: file.path, mode: file.mode, digest: digest(file.bytes) }))),
    given: byPath(Object.entries(given).map(([path, text]) => ({ path, digest: digest(utf8(text)) }))),
    // In their order: what runs first may change what runs next.
    prepare,
    offline,
    path,
    hosts: hosts.map((host) => ({ host: hostWord(host), range: host.range })),
    tools,
    toolchain: toolchain.map(({ name, print }) => ({ name, print })),
    makes,
    writable,
    origin,
    certificates: certificates.map((one) => digest(utf8(one))),
  };
  return `sha256:${digest(utf8(jcs(all)))}`;
}

function byPath<T extends { readonly path: string }>(files: readonly T[]): readonly T[] {
  return [...files].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}
