// Reason codes about bytes: texts, commits, signatures and keys.
import { REPAIR, REPORT, AGAIN, type Reason } from './reason.ts';

export const BYTES = {
  // bytes
  json_malformed: {
    exit: 6,
    says: 'A text that must be JSON is not JSON.',
    next: 'correct the text at the place that is named',
  },
  json_not_canonical: {
    exit: 6,
    says: 'A JSON text is not in canonical form (RFC 8785), so two texts could mean the same.',
    next: 'get the text again from whoever wrote it',
  },
  clock_out_of_range: {
    exit: 9,
    says: 'This machine’s clock is before 1970 or after 2106, which no signature can state.',
    next: 'set the clock of this computer',
    inIssue: 'whoever keeps the runner sets its clock',
  },
  json_unrepresentable: { exit: 1, says: 'A value has no canonical JSON form.', next: REPORT },
  frontier_invalid: { exit: 6, says: 'The hashes of a Merkle frontier do not fit its size.', next: AGAIN },
  proof_impossible: {
    exit: 2,
    says: 'A proof was asked for a position outside the ledger.',
    next: 'lazarus ledger log <ledger>',
  },

  // commits
  commit_malformed: { exit: 6, says: 'A commit is not spelled the way a ledger spells commits.', next: REPAIR },
  commit_unsigned: { exit: 6, says: 'A commit carries no signature.', next: REPAIR },
  commit_second_signature: {
    exit: 6,
    says: 'A commit carries a second signature header: verifiers would disagree on which one counts.',
    next: REPAIR,
  },
  commit_mergetag: { exit: 6, says: 'A commit carries a merged tag, which no ledger commit does.', next: REPAIR },
  commit_encoding: {
    exit: 6,
    says: 'A commit declares a text encoding; ledger commits are UTF-8 and say nothing.',
    next: REPAIR,
  },
  commit_unknown_header: { exit: 6, says: 'A commit carries a header that no ledger commit has.', next: REPAIR },

  // signatures and public keys
  armor_malformed: {
    exit: 6,
    says: 'The armored text is not exactly one block in the one accepted form.',
    next: AGAIN,
  },
  signature_malformed: { exit: 6, says: 'The signature packet is broken.', next: AGAIN },
  signature_version: { exit: 6, says: 'The signature is not of OpenPGP version 4.', next: AGAIN },
  signature_type: { exit: 6, says: 'The signature is of a type that does not sign bytes.', next: AGAIN },
  signature_text_mode: {
    exit: 6,
    says: 'The signature is in text mode, which ignores line ends; only binary signatures count.',
    next: AGAIN,
  },
  signature_algorithm: { exit: 6, says: 'The signature is not made by an ed25519 key (algorithm 22).', next: AGAIN },
  signature_hash_weak: { exit: 6, says: 'The signature uses a hash weaker than SHA-256.', next: AGAIN },
  signature_critical_subpacket: {
    exit: 6,
    says: 'The signature carries a critical condition that lazarus does not know.',
    next: AGAIN,
  },
  signature_expires: {
    exit: 6,
    says: 'The signature carries an expiry time, and a record must not become invalid later.',
    next: AGAIN,
  },
  signature_unsigned_data: {
    exit: 6,
    says: 'The unsigned part of the signature carries more than the issuer’s key id.',
    next: AGAIN,
  },
  signature_trailing_bytes: { exit: 6, says: 'Bytes follow where the signature should have ended.', next: AGAIN },
  signature_not_canonical: {
    exit: 6,
    says: 'The signature is spelled in a second way (its S is not reduced), and only one spelling of a signature counts.',
    next: AGAIN,
  },
  signature_prefix_wrong: { exit: 6, says: 'The signature’s digest prefix was altered.', next: AGAIN },
  signature_issuer_wrong: {
    exit: 6,
    says: 'The signature names another key than the one it is checked against.',
    next: AGAIN,
  },
  signature_invalid: { exit: 6, says: 'The signature does not fit the signed bytes and the key.', next: AGAIN },
  key_malformed: {
    exit: 6,
    says: 'The key is not exactly one ed25519 key, one user id and one self-signature.',
    next: 'lazarus keys new <principal>',
  },
  key_version_unsupported: {
    exit: 6,
    says: 'The key is not of OpenPGP version 4.',
    next: 'lazarus keys new <principal>',
  },
  key_algorithm_unsupported: {
    exit: 6,
    says: 'The key is not an ed25519 signing key (algorithm 22), the one kind that stock gpg and lazarus both verify.',
    next: 'lazarus keys new <principal>',
  },
  key_weak: {
    exit: 6,
    says: 'The key is a weak point of its curve: anybody could forge signatures with it, or read what is encrypted to it.',
    next: 'lazarus keys new <principal>',
  },
  key_expires: {
    exit: 6,
    says: 'The key carries an expiry time, and only the roster says how long a key is valid.',
    next: 'lazarus keys new <principal>',
  },
  key_cannot_sign: {
    exit: 6,
    says: 'The key’s own flags do not allow it to sign.',
    next: 'lazarus keys new <principal>',
  },
  key_cannot_encrypt: {
    exit: 6,
    says: 'The key’s own flags do not allow encrypting to it.',
    next: 'lazarus keys new <principal>',
  },
  encryption_key_unbound: {
    exit: 6,
    says: 'The encryption key is not signed by a key of this member that is on the roster and not cut off, so nobody can tell whose it is.',
    next: 'lazarus roster set <principal> --encrypt-to <key>, or none',
  },
  key_certification_invalid: {
    exit: 6,
    says: 'The key’s self-signature does not hold.',
    next: 'ask the owner of the key for it again',
  },
  key_not_found: { exit: 7, says: 'No such key here.', next: 'lazarus keys list' },
  message_unreadable: {
    exit: 6,
    says: 'What is said to be encrypted to this key does not open with it: it was altered, or was never encrypted to it.',
    next: 'ask whoever ran it; nothing else in the repository has these words',
  },
  key_exists: { exit: 5, says: 'This key is here already.', next: 'lazarus keys list' },
  key_exposed: {
    exit: 9,
    says: 'Other users of this machine can read the key file or its directory.',
    next: 'chmod -R go= <path>',
  },
  key_secret_absent: { exit: 4, says: 'The private half of the key is not here.', next: 'lazarus keys list' },
  key_unusable: { exit: 4, says: 'The key is revoked, expired or disabled.', next: 'gpg --list-secret-keys' },
  passphrase_needed: {
    exit: 4,
    says: 'The key is locked and there is no passphrase to open it with.',
    next: 'export LAZARUS_PASSPHRASE=…',
  },
  passphrase_wrong: {
    exit: 4,
    says: 'The passphrase does not open the key.',
    next: 'the same command with the right passphrase',
  },
  passphrase_mismatch: {
    exit: 4,
    says: 'The two passphrases differ; nothing was changed.',
    next: 'the same command again',
  },
  passphrase_empty: {
    exit: 2,
    says: 'An empty passphrase protects nothing; a machine’s key can be kept bare only by saying so.',
    next: 'lazarus keys new <principal> --unprotected',
  },
  gpg_missing: { exit: 9, says: 'The gpg programs were not found.', next: 'install gnupg, at least version 2.2' },
  gpg_failed: { exit: 9, says: 'gpg refused an operation.', next: 'gpg --list-secret-keys' },
  gpg_agent_refused: { exit: 4, says: 'gpg-agent did not sign.', next: 'gpg-connect-agent /bye' },
} as const satisfies Record<string, Reason>;
