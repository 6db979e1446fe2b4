// People with real Ed25519 keys, made from a word so that a ledger built twice is the same. For tests only: a key that
// can be derived from its owner's name protects nothing.
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { base64 } from '../../src/format/bytes.ts';
import { bindEncryptionKey, encryptionKeyBody } from '../../src/format/openpgp/encryption-key.ts';
import { fingerprintOf, fingerprintOfBody } from '../../src/format/openpgp/key-packet.ts';
import { certification, userIdOf } from '../../src/format/openpgp/public-key.ts';
import { prepareSignature } from '../../src/format/openpgp/signature.ts';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import type { EventOf } from '../../src/kernel/event.ts';
import { statementBytes, type Purpose, type RootSignature } from '../../src/kernel/roster/threshold.ts';
import {
  rosterDigest,
  type EncryptTo,
  type Member,
  type Roster,
  type RosterKey,
} from '../../src/kernel/roster/roster.ts';
import type { Signer } from '../../src/ports/keys.ts';

export type TestKey = Signer & {
  readonly principalId: string;
  readonly raw: (digest: Uint8Array) => Uint8Array;
  readonly signNow: (bytes: Uint8Array, atSeconds: number) => Uint8Array;
};

const PKCS8_X25519 = Buffer.from('302e020100300506032b656e04220420', 'hex');
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
export const KEYS_MADE_AT_SECONDS = 1_700_000_000;

export function testKey(principalId: string, word = principalId): TestKey {
  const seed = createHash('sha256').update(`lazarus test key ${word}`).digest();
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  const ed25519 = new Uint8Array(createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32));
  const raw = (digest: Uint8Array): Uint8Array => new Uint8Array(sign(null, digest, privateKey));
  const fingerprint = fingerprintOf(nodeCrypto, ed25519, KEYS_MADE_AT_SECONDS);
  const certified = certification(
    { ed25519, createdAtSeconds: KEYS_MADE_AT_SECONDS, userId: userIdOf(principalId, fingerprint) },
    nodeCrypto,
  );
  const signNow = (bytes: Uint8Array, atSeconds: number): Uint8Array => {
    const { toSign, finish } = prepareSignature({ fingerprint, atSeconds }, bytes, nodeCrypto);
    return finish(raw(toSign));
  };
  return {
    principalId,
    fingerprint,
    publicKey: certified.finish(raw(certified.toSign)),
    sign: (bytes, atSeconds) => Promise.resolve(signNow(bytes, atSeconds)),
    signNow,
    raw,
  };
}

export const ANA = testKey('ana');
export const BEN = testKey('ben');
export const BO = testKey('bo');
export const CY = testKey('cy');
export const GUS = testKey('gus');

export function member(key: TestKey, changes: Partial<Member> = {}): Member {
  return {
    forge_user_id: null,
    keys: [rosterKey(key)],
    layer: changes.principal_type === undefined || changes.principal_type === 'user' ? 'L1' : 'L5',
    person_id: key.principalId,
    principal_id: key.principalId,
    principal_type: 'user',
    roles: ['gate', 'person', 'root', 'runner', 'writer'],
    ...changes,
  };
}

export function rosterKey(key: Signer, changes: Partial<RosterKey> = {}): RosterKey {
  return { fingerprint: key.fingerprint, from: 0, public_key: base64(key.publicKey), until: null, ...changes };
}

/** An encryption key made from a word, bound by `by`. */
export function encryptTo(by: TestKey, word: string): EncryptTo {
  const seed = createHash('sha256').update(`lazarus test encryption key ${word}`).digest();
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_X25519, seed]), format: 'der', type: 'pkcs8' });
  return encryptToPoint(by, createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32));
}

/** The same of any point at all. */
export function encryptToPoint(by: TestKey, point: Uint8Array): EncryptTo {
  const of = { x25519: new Uint8Array(point), createdAtSeconds: KEYS_MADE_AT_SECONDS };
  const { toSign, finish } = bindEncryptionKey(of, { fingerprint: by.fingerprint, bytes: by.publicKey }, nodeCrypto);
  const fingerprint = fingerprintOfBody(nodeCrypto, encryptionKeyBody(of.x25519, of.createdAtSeconds));
  return { fingerprint, public_key: base64(finish(by.raw(toSign))) };
}

export function roster(projectId: string, members: readonly Member[], changes: Partial<Roster> = {}): Roster {
  const sorted = [...members].sort((a, b) => (a.principal_id < b.principal_id ? -1 : 1));
  return { members: sorted, n: 0, prev: null, project_id: projectId, threshold: 1, ...changes };
}

/** The roster that follows, with some of it changed. */
export function nextRoster(current: Roster, changes: Partial<Roster> = {}): Roster {
  return { ...current, n: current.n + 1, prev: rosterDigest(nodeCrypto, current), ...changes };
}

type Agreement = {
  readonly annotation: EventOf<'trust.annotated'>['payload'];
  readonly cut_off: EventOf<'key.cut_off'>['payload'];
  readonly repair: EventOf<'ledger.repaired'>['payload'];
  readonly roster: EventOf<'roster.updated'>['payload'];
  readonly seal: EventOf<'ledger.sealed'>['payload'];
};

/** A document and the roots' word on it, as events carry it. */
export function agreed<Field extends keyof Agreement>(
  roots: readonly TestKey[],
  field: Field,
  document: Agreement[Field] extends Readonly<Record<Field, infer Document>> ? Document : never,
): Agreement[Field] {
  const purpose = field.replace('_', '-') as Purpose;
  return { [field]: document, signatures: signedBy(roots, purpose, document) } as unknown as Agreement[Field];
}

/** What roots sign together, in the one order that is allowed. */
export function signedBy(keys: readonly TestKey[], purpose: Purpose, document: unknown): RootSignature[] {
  const bytes = statementBytes(purpose, document);
  const made = keys.map(({ fingerprint, signNow }) => ({
    fingerprint,
    signature: base64(signNow(bytes, KEYS_MADE_AT_SECONDS)),
  }));
  return made.sort((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1));
}
