// The signatures of a ledger, taken apart ahead of time: for the physical limit (nothing but ed25519) and for OpenPGP.js.
import { createPublicKey, hash, verify, type KeyObject } from 'node:crypto';
import * as openpgp from 'openpgp';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { concat } from '../../../src/format/bytes.ts';
import { parseCommit, type ParsedCommit } from '../../../src/format/git/commit.ts';
import { dearmor } from '../../../src/format/openpgp/armor.ts';
import { parsePublicKey } from '../../../src/format/openpgp/public-key.ts';
import { parseSignature } from '../../../src/format/openpgp/signature.ts';
import { checkSignaturePacket } from '../../../src/format/openpgp/signature-packet.ts';
import { ana, type BuiltLedger } from '../inputs/ledger.ts';

export type SignedCommit = { readonly body: Uint8Array; readonly commit: ParsedCommit };

/** All commits of the mission, newest first. */
export async function signedCommits(ledger: BuiltLedger): Promise<readonly SignedCommit[]> {
  const repository = await openRepository(ledger.path);
  try {
    const head = await repository.resolve(ledger.ref);
    const commits: SignedCommit[] = [];
    for await (const { body } of repository.history(head!)) {
      // The stream's buffers are large and shared: kept whole they would be the memory of the entire history.
      const own = body.slice();
      commits.push({ body: own, commit: parseCommit(own) });
      if (commits.length === ledger.commits) break;
    }
    return commits;
  } finally {
    await repository.close();
  }
}

export type RawSignature = { readonly digest: Uint8Array; readonly rs: Uint8Array };

export function rawSignatures(commits: readonly SignedCommit[]): readonly RawSignature[] {
  return commits.map(({ commit }) => {
    const { hashed, rs } = parseSignature(dearmor('SIGNATURE', commit.signature));
    const digest = hash('sha512', concat([...commit.payload, hashed]), 'buffer');
    return { digest, rs };
  });
}

/** The limit: a loop around OpenSSL's ed25519 with the key imported once. */
export function verifyRaw(signatures: readonly RawSignature[]): void {
  for (const { digest, rs } of signatures)
    if (!verify(null, digest, KEY, rs)) throw new Error('a raw signature is bad');
}

/** Ours, from the bytes of a commit to the verdict on its signature. */
export function verifyOurs(commits: readonly SignedCommit[]): void {
  for (const { body } of commits) {
    const { payload, signature } = parseCommit(body);
    const parsed = parseSignature(dearmor('SIGNATURE', signature));
    const flaw = checkSignaturePacket(nodeCrypto, parsed, { ed25519: ED25519, fingerprint: ana.fingerprint }, payload);
    if (flaw !== undefined) throw new Error(`a signature is bad: ${flaw}`);
  }
}

/** OpenPGP.js as its documentation uses it, one commit after the other. Splitting the commit is a gift. */
export async function verifyWithOpenpgpJs(commits: readonly SignedCommit[]): Promise<void> {
  const verificationKeys = await openpgp.readKey({ binaryKey: ana.publicKey });
  for (const { commit } of commits) {
    const message = await openpgp.createMessage({ binary: concat(commit.payload) });
    const signature = await openpgp.readSignature({ armoredSignature: commit.signature });
    const { signatures } = await openpgp.verify({ message, signature, verificationKeys, format: 'binary' });
    await signatures[0]!.verified;
  }
}

const ED25519 = parsePublicKey(ana.publicKey, nodeCrypto).ed25519;
const KEY: KeyObject = createPublicKey({
  key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), ED25519]),
  format: 'der',
  type: 'spki',
});
