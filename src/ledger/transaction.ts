// Writing: events and a tip become one commit to sign, then one set of objects to store. Decides nothing that
// `advance` does not decide, and holds no key: whoever has it signs the payload.
import type { Crypto } from '../format/crypto.ts';
import { encodeCommit, signedCommit } from '../format/git/commit.ts';
import { gitObject, type GitObject, type Oid } from '../format/git/object.ts';
import { armor } from '../format/openpgp/armor.ts';
import { inOneForm } from '../format/openpgp/signature-packet.ts';
import { writeEvent } from '../kernel/codec.ts';
import type { Event } from '../kernel/event.ts';
import type { RosterEntry } from '../kernel/roster/keyring.ts';
import type { State } from '../kernel/state.ts';
import type { TreeHead } from '../kernel/values.ts';
import { accept, refuse, type Verdict } from '../kernel/verdict.ts';
import { advance, type Advanced } from './advance.ts';
import { committed, type Tip } from './tip.ts';
import { encodeMessage, GENESIS_SELF, type Claims } from './trailers.ts';
import { checkCited } from './verify-commit.ts';

export type Draft = {
  readonly tx: string;
  readonly events: readonly Event[];
  readonly fingerprint: string;
  readonly atSeconds: number;
  /** Missions: the project head the transaction was decided under; left out, the one cited before. */
  readonly project?: TreeHead | undefined;
};

export type Sealed = {
  readonly tip: Tip;
  readonly events: readonly Event[];
  readonly leaves: readonly Uint8Array[];
  readonly signer: RosterEntry;
  readonly commit: GitObject;
  readonly objects: readonly GitObject[];
};

export type Prepared = {
  /** Where the transaction leads to: what it comes to can be judged before it is signed. */
  readonly state: State;
  readonly events: readonly Event[];
  /** The bytes of the commit that the signature covers. */
  readonly payload: Uint8Array;
  /** Completes the commit with a binary OpenPGP signature packet over the payload. */
  readonly finish: (signature: Uint8Array) => Sealed;
};

export function prepareTransaction(crypto: Crypto, tip: Tip, draft: Draft): Verdict<Prepared> {
  const blobs: Uint8Array[] = [];
  const readBack: Event[] = [];
  for (const event of draft.events) {
    const written = writeEvent(event);
    if (written.is === 'refused') return written;
    blobs.push(written.value.blob);
    readBack.push(written.value.event);
  }
  const repairs = repairOf(tip, draft.events);
  if (repairs.is === 'refused') return repairs;
  const project = tip.kind === 'mission' ? (draft.project ?? tip.project) : undefined;
  const cited = checkCited(tip, project === undefined ? {} : { project });
  if (cited.is === 'refused') return cited;
  const { tx, fingerprint, atSeconds } = draft;
  const advanced = advance(crypto, tip, { tx, blobs, readBack, fingerprint, project });
  if (advanced.is === 'refused') return advanced;
  const next = advanced.value;
  const payload = encodeCommit({
    tree: next.tree,
    parents: parentsOf(tip, repairs.value?.foreignTip),
    author: { name: next.signer.member.principal_id, email: `${fingerprint}@lazarus.invalid`, atSeconds },
    message: encodeMessage(
      claimsOf(tip, next, tx, repairs.value),
      next.events.map((event) => event.event_type),
    ),
  });
  return accept({
    state: next.tip.state!,
    events: next.events,
    payload,
    finish: (signature) => {
      const commit = gitObject(crypto, 'commit', signedCommit(payload, armor('SIGNATURE', inOneForm(signature))));
      return {
        tip: committed(next.tip, commit.oid),
        events: next.events,
        leaves: next.leaves,
        signer: next.signer,
        commit,
        objects: [...next.objects, commit],
      };
    },
  });
}

type Repairs = { readonly validHead: Oid; readonly foreign: number; readonly foreignTip: Oid };

/** A repair stands alone in its transaction: what goes on from the valid head must not hide among other events. */
function repairOf(tip: Tip, events: readonly Event[]): Verdict<Repairs | undefined> {
  const repair = events.find((event) => event.event_type === 'ledger.repaired');
  if (repair === undefined) return accept(undefined);
  const { valid_head, foreign_count, foreign_tip } = repair.payload.repair;
  if (events.length !== 1) return refuse('repair_not_alone', { events: events.length });
  if (valid_head.oid !== tip.oid || valid_head.size !== tip.size || valid_head.root !== tip.root)
    return refuse('repair_wrong_head', { named: valid_head.oid });
  return accept({ validHead: valid_head.oid, foreign: foreign_count, foreignTip: foreign_tip });
}

function parentsOf(tip: Tip, foreignTip: Oid | undefined): readonly Oid[] {
  const parent = foreignTip ?? tip.oid ?? tip.parent?.head.oid;
  return parent === undefined ? [] : [parent];
}

function claimsOf(
  tip: Tip,
  next: Advanced,
  tx: string,
  repairs: { readonly validHead: Oid; readonly foreign: number } | undefined,
): Claims {
  return {
    ledgerId: next.tip.state!.ledger_id,
    tx,
    prevSize: tip.size,
    size: next.tip.size,
    prevRoot: tip.root,
    root: next.tip.root,
    roster: next.roster,
    ...(tip.kind === 'project' ? {} : { genesis: tip.genesis ?? GENESIS_SELF }),
    ...(next.tip.project === undefined ? {} : { project: next.tip.project }),
    ...(repairs === undefined ? {} : { repairs: { validHead: repairs.validHead, foreign: repairs.foreign } }),
  };
}
