// From a ledger's leaf hashes and some of its transactions to the text of a proof bundle. Believes what it is given: a
// bundle made of wrong material is found out by whoever checks it.
import { base64, fromUtf8 } from '../format/bytes.ts';
import type { Crypto } from '../format/crypto.ts';
import { consistencyProof, inclusionProof } from '../format/merkle-proof.ts';
import { refuse, type Verdict } from '../kernel/verdict.ts';
import {
  BUNDLE_KIND,
  BUNDLE_COMMITS_MAX,
  BUNDLE_VERSION,
  encodeBundle,
  type Bundle,
  type Cosignature,
  type ShownCommit,
} from './bundle-format.ts';

/** One transaction to be shown: its raw commit, where it stands, and those of its events that matter. */
export type Extract = {
  readonly commit: Uint8Array;
  readonly prevSize: number;
  readonly size: number;
  readonly events: readonly { readonly index: number; readonly bytes: Uint8Array }[];
};

/** What is to be shown of one ledger. `leaves` are all its leaf hashes; the last extract is its newest transaction. */
export type Extracts = { readonly leaves: readonly Uint8Array[]; readonly transactions: readonly Extract[] };

export type Material = {
  readonly claim: Bundle['claim'];
  readonly ledger: Extracts;
  /** Missions: the project ledger up to the commit that the mission grew from. */
  readonly project?: Extracts | undefined;
  readonly cosignatures?: readonly Cosignature[];
};

export function writeBundle(
  crypto: Crypto,
  { claim, ledger, project, cosignatures = [] }: Material,
): Verdict<Uint8Array> {
  for (const shown of [ledger, project])
    if (shown !== undefined && shown.transactions.length > BUNDLE_COMMITS_MAX)
      return refuse('limit_reached', {
        bundle_commits: shown.transactions.length,
        bundle_commits_max: BUNDLE_COMMITS_MAX,
      });
  return encodeBundle({
    claim,
    cosignatures: [...cosignatures].sort((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1)),
    kind: BUNDLE_KIND,
    ledger: commits(crypto, ledger),
    project: project === undefined ? [] : commits(crypto, project),
    schema_version: BUNDLE_VERSION,
  });
}

function commits(crypto: Crypto, { leaves, transactions }: Extracts): ShownCommit[] {
  let shownUntil = 0;
  return transactions.map(({ commit, prevSize, size, events }) => {
    const before = leaves.slice(0, prevSize);
    const after = leaves.slice(0, size);
    const extract = {
      commit: fromUtf8(commit),
      events: events.map(({ index, bytes }) => ({
        event: fromUtf8(bytes),
        inclusion: inclusionProof(crypto, after, index).map(base64),
        index,
      })),
      grown: consistencyProof(crypto, after, prevSize).map(base64),
      since: consistencyProof(crypto, before, shownUntil).map(base64),
    };
    shownUntil = size;
    return extract;
  });
}
