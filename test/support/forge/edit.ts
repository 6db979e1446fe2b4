// A forger's hands: changes trees and signatures in ways that no git client and no lazarus would.
import { concat, fromUtf8, hex, utf8 } from '../../../src/format/bytes.ts';
import { OID_BYTES, writeOid, type Oid } from '../../../src/format/git/object.ts';
import { dearmor } from '../../../src/format/openpgp/armor.ts';
import { parsePublicKey } from '../../../src/format/openpgp/public-key.ts';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { signaturePacket, type Shape } from '../../format/openpgp/packets.ts';
import type { TestKey } from '../people.ts';
import type { Workshop } from './workshop.ts';

/** Any mode goes: files one may run, symbolic links, submodules. */
export type Entry = { readonly mode: string; readonly oid: Oid };

/** The tree with the entry at `path` set or, when undefined, taken away. Folders on the way are made. */
export function withEntry(bench: Workshop, tree: Oid | undefined, path: string, entry: Entry | undefined): Oid {
  const [name = '', ...rest] = path.split('/');
  const entries = tree === undefined ? new Map<string, Entry>() : readTree(bench.objects.get(tree)!.body);
  if (rest.length > 0) {
    const below = withEntry(bench, entries.get(name)?.oid, rest.join('/'), entry);
    entries.set(name, { mode: '40000', oid: below });
  } else if (entry === undefined) entries.delete(name);
  else entries.set(name, entry);
  return bench.keep('tree', writeTree(entries));
}

export function entryAt(bench: Workshop, tree: Oid, path: string): Entry {
  const [name = '', ...rest] = path.split('/');
  const found = readTree(bench.objects.get(tree)!.body).get(name);
  if (found === undefined) throw new Error(`nothing lies at ${path}`);
  return rest.length === 0 ? found : entryAt(bench, found.oid, rest.join('/'));
}

function readTree(body: Uint8Array): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (let at = 0; at < body.length;) {
    const nul = body.indexOf(0, at);
    const [mode = '', name = ''] = fromUtf8(body.subarray(at, nul)).split(' ');
    entries.set(name, { mode, oid: hex(body.subarray(nul + 1, nul + 1 + OID_BYTES)) });
    at = nul + 1 + OID_BYTES;
  }
  return entries;
}

function writeTree(entries: ReadonlyMap<string, Entry>): Uint8Array {
  const order = ([name, { mode }]: [string, Entry]): string => (mode === '40000' ? `${name}/` : name);
  const sorted = [...entries].sort((a, b) => (order(a) < order(b) ? -1 : 1));
  return concat(
    sorted.flatMap(([name, { mode, oid }]) => {
      const bytes = new Uint8Array(OID_BYTES);
      writeOid(oid, bytes, 0);
      return [utf8(`${mode} ${name}\0`), bytes];
    }),
  );
}

/** The signature packet that a commit carries. */
export function signatureOf(bench: Workshop, commit: Oid): Uint8Array {
  const [, folded = ''] = /\ngpgsig ((?:.*\n )*.*)\n/.exec(bench.text(commit)) ?? [];
  return dearmor('SIGNATURE', `${folded.replaceAll('\n ', '\n')}\n`);
}

export function transactionIn(bench: Workshop, commit: Oid): string {
  return /\nLedger-Tx: (.*)\n/.exec(bench.text(commit))![1]!;
}

/** The same commit under another parent, its signature kept. */
export function movedTo(bench: Workshop, commit: Oid, parent: Oid): Oid {
  const moved = bench.keep(
    'commit',
    utf8(bench.text(commit).replace(/\nparent [0-9a-f]{40}\n/, `\nparent ${parent}\n`)),
  );
  bench.shown.set(moved, { ...bench.shown.get(commit)!, before: parent });
  return moved;
}

/** A signature that is true to the key, in whatever shape is asked for. */
export function shaped(key: TestKey, payload: Uint8Array, shape: Shape): Uint8Array {
  const { ed25519 } = parsePublicKey(key.publicKey, nodeCrypto);
  return signaturePacket(
    { ...key, ed25519, sign: (data, atSeconds = 0) => key.signNow(data, atSeconds) },
    [payload],
    shape,
  );
}
