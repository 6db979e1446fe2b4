// Reason codes about proofs, artifacts and manifests.
import { EVENT, PROOF, type Reason } from './reason.ts';

export const PROOFS = {
  // artifacts
  artifact_too_large: {
    exit: 2,
    says: 'The bytes are more than one artifact may hold; nothing was recorded.',
    next: 'store them elsewhere and record their digest in a smaller artifact',
  },
  artifacts_full: {
    exit: 3,
    says: 'The ledger keeps as many artifacts as it may; nothing was recorded.',
    next: 'lazarus artifact erase <ledger> <digest> --because <word>',
  },
  artifact_unknown: {
    exit: 7,
    says: 'The ledger records no artifact whose digest begins like this.',
    next: 'lazarus artifact list <ledger>',
  },
  artifact_ambiguous: {
    exit: 2,
    says: 'More than one artifact’s digest begins like this.',
    next: 'lazarus artifact list <ledger>',
  },
  artifact_erased: {
    exit: 7,
    says: 'The artifact was erased; the ledger still proves that it was recorded.',
    next: 'lazarus artifact list <ledger>',
  },
  artifact_missing: {
    exit: 6,
    says: 'The ledger records an artifact whose bytes are not in this repository.',
    next: 'the same command with --remote <name>',
  },
  artifact_corrupt: {
    exit: 6,
    says: 'The bytes kept for an artifact are not the ones that were recorded; they are not shown.',
    next: 'lazarus artifact verify <ledger> --remote <name>',
  },
  artifact_key_absent: {
    exit: 4,
    says: 'The artifact is encrypted and its key is not on this machine.',
    next: 'lazarus artifact key import <ledger> <file>',
  },
  artifact_key_wrong: {
    exit: 4,
    says: 'The key does not open the artifact, or the artifact was sealed as another media type.',
    next: 'ask a colleague for: lazarus artifact key export <ledger> <digest>',
  },
  artifact_key_exists: {
    exit: 5,
    says: 'Another key of this artifact is here already; nothing was replaced.',
    next: 'lazarus artifact show <ledger> <digest>',
  },
  artifact_key_malformed: {
    exit: 2,
    says: 'This is not the key file of an artifact, whole and unchanged.',
    next: 'ask a colleague for: lazarus artifact key export <ledger> <digest>',
  },
  artifact_unprintable: {
    exit: 2,
    says: 'The content is no plain text: printed, it could take over the terminal.',
    next: 'the same command with --output <file>, or --raw',
  },

  // proof bundles
  bundle_too_large: { exit: 6, says: 'A proof bundle is larger than the format allows.', next: PROOF },
  bundle_malformed: {
    exit: 6,
    says: 'This is not a proof bundle, or one that does not have the prescribed form.',
    next: PROOF,
  },
  bundle_not_canonical: {
    exit: 6,
    says: 'A proof bundle is not in canonical form (RFC 8785 plus LF): it was altered or reformatted.',
    next: PROOF,
  },
  bundle_newer: {
    exit: 9,
    says: 'The proof bundle was written by a newer version of lazarus.',
    next: 'npm install lazarus@latest',
  },
  bundle_incomplete: { exit: 6, says: 'The proof bundle does not hold what it claims to prove.', next: PROOF },
  inclusion_invalid: {
    exit: 6,
    says: 'An event is not in the tree whose root was signed, or not at that index.',
    next: PROOF,
  },
  consistency_invalid: {
    exit: 6,
    says: 'A signed tree head is not the continuation of the one shown before it.',
    next: PROOF,
  },
  cosignature_invalid: {
    exit: 6,
    says: 'A co-signature is not by a key that counts, or does not fit the tree head.',
    next: PROOF,
  },
  event_ambiguous: { exit: 2, says: 'More than one event id begins like this.', next: 'lazarus ledger log <ledger>' },
  head_not_found: {
    exit: 7,
    says: 'No transaction ended at this size: there is no signed tree head to prove from.',
    next: 'lazarus ledger log <ledger>',
  },

  // spawn manifests
  manifest_malformed: { exit: 6, says: 'This is not a spawn manifest in canonical form.', next: EVENT },
  manifest_tampered: { exit: 6, says: 'A spawn manifest is not the one that was signed.', next: EVENT },
  manifest_signer_wrong: { exit: 6, says: 'A spawn manifest was not signed by the parent of the seed.', next: EVENT },
  manifest_signature_bad: { exit: 6, says: 'The signature of a spawn manifest is not good.', next: EVENT },
  manifest_elsewhere: {
    exit: 6,
    says: 'A spawn manifest belongs to another project, mission, plan, host or cell.',
    next: EVENT,
  },
  manifest_ttl_invalid: {
    exit: 6,
    says: 'A spawn manifest promises a time that is empty or longer than allowed.',
    next: EVENT,
  },
  manifest_expired: {
    exit: 6,
    says: 'A spawn manifest has expired; a new one has to be signed.',
    next: 'lazarus run <mission>',
  },
  manifest_not_yet_valid: {
    exit: 6,
    says: 'A spawn manifest begins in the future of this machine’s clock.',
    next: 'set the clock of this computer',
    inIssue: 'whoever keeps the runner sets its clock',
  },
  manifest_capability_beyond: {
    exit: 6,
    says: 'A spawn manifest asks for more than the policy allows.',
    next: 'lazarus policy show',
  },
} as const satisfies Record<string, Reason>;
