// Appends to a remote ledger without a clone. Same rules, same seal, same compare-and-swap as the one write path; only
// where the tip comes from differs. After a lost race or answer everything is looked at afresh.
import { Failure } from '../../failure.ts';
import { LEDGER_FORMAT } from '../../kernel/limits.ts';
import { rosterDigest } from '../../kernel/roster/roster.ts';
import { refuse, type Verdict } from '../../kernel/verdict.ts';
import { findSigner } from '../../ledger/advance.ts';
import { ledgerName } from '../../ledger/names.ts';
import { headOf, type Tip } from '../../ledger/tip.ts';
import { prepareTransaction, type Sealed } from '../../ledger/transaction.ts';
import type { ReadCommit } from '../../ledger/verify-commit.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import type { Signer } from '../../ports/keys.ts';
import type { Pin, Pins } from '../../ports/pins.ts';
import { complete, type EventDraft } from '../draft.ts';
import type { Decide, Landed } from '../ledger-session.ts';
import { additiveTip, decidedTip, openHead, type ColdParts } from './open-cold.ts';

export type ColdWorld = ColdParts & {
  readonly pins: Pins;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly backOff: (upToMs: number) => Promise<void>;
};

/** `additive`: the events only add notes or artifacts to the mission, so that its tasks need not be known. */
export type ColdSubmission = { readonly decide: Decide; readonly additive?: { readonly events: number } };

export async function appendCold(world: ColdWorld, ref: string, signer: Signer, { decide, additive }: ColdSubmission): Promise<Verdict<Landed>> {
  const { pins, clock, ids } = world;
  const drawn = { tx: ids.next(), correlation: ids.next(), ids: [] as string[], atSeconds: clock.nowSeconds() };
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const pin = await pins.read(ledgerName(ref));
    const head = await openHead(world, ref);
    if (head.is === 'refused') return head;
    const tip = await tipAt(world, ref, head.value, pin, additive?.events);
    if (tip.is === 'refused') return tip;
    if (tip.value.recent.includes(drawn.tx)) return { is: 'accepted', value: landedAt(head.value, drawn.tx, attempt) };
    const sealed = await seal(world, tip.value, signer, decide, drawn);
    if (sealed.is === 'refused') return sealed;
    const { objects, tip: next } = sealed.value;
    const outcome = await world.remote.push({ objects, updates: [{ ref, old: tip.value.oid, next: next.oid }] });
    if (outcome.is === 'refused') throw new Failure('push_rejected', { ref: outcome.ref, why: outcome.why });
    if (outcome.is === 'landed') {
      await pins.write(ledgerName(ref), pinAfter(world, next, pin, signer.fingerprint, tip.value.size));
      return { is: 'accepted', value: { head: headOf(next), from: tip.value.size, tx: drawn.tx, attempts: attempt } };
    }
    await world.backOff(BACK_OFF_MS * 2 ** Math.min(attempt, 6));
  }
  return refuse('head_moved', { ref, attempts: ATTEMPTS_MAX });
}

const ATTEMPTS_MAX = 20;
const BACK_OFF_MS = 15;

/** The small tip where it suffices, the whole one where not. */
async function tipAt(world: ColdWorld, ref: string, head: ReadCommit, pin: Pin | undefined, adding: number | undefined): Promise<Verdict<Tip>> {
  if (adding !== undefined) {
    const small = await additiveTip(world, head, pin, adding);
    if (small.is === 'accepted' || small.code !== 'cold_needs_history') return small;
  }
  return decidedTip(world, ref, head, pin);
}

type Drawing = { readonly tx: string; readonly correlation: string; readonly ids: string[]; readonly atSeconds: number };

async function seal(world: ColdWorld, tip: Tip, signer: Signer, decide: Decide, drawn: Drawing): Promise<Verdict<Sealed>> {
  const { crypto, ids } = world;
  const { tx, atSeconds, correlation } = drawn;
  const decided = decide(tip.state, { head: headOf(tip) });
  if (decided.is === 'refused') return decided;
  const entry = findSigner(crypto, tip, tip.state!.roster, signer.fingerprint, tip.project);
  if (entry.is === 'refused') return entry;
  const occurredAt = new Date(atSeconds * 1000).toISOString();
  const drawing = { id: (position: number) => (drawn.ids[position] ??= ids.next()), correlation, occurredAt };
  const events = decided.value.map((draft: EventDraft, i) => complete(draft, i, entry.value.member, drawing));
  const prepared = prepareTransaction(crypto, tip, { tx, events, fingerprint: signer.fingerprint, atSeconds });
  if (prepared.is === 'refused') return prepared;
  return { is: 'accepted', value: prepared.value.finish(await signer.sign(prepared.value.payload, atSeconds)) };
}

function landedAt({ oid, claims }: ReadCommit, tx: string, attempts: number): Landed {
  return { head: { size: claims.size, root: claims.root, oid }, from: claims.prevSize, tx, attempts };
}

function pinAfter({ crypto }: ColdWorld, tip: Tip, before: Pin | undefined, fingerprint: string, from: number): Pin {
  const { roster, ledger_id, project_genesis } = tip.state!;
  const first = before?.signers[fingerprint]?.[0] ?? from;
  return {
    ledger_id,
    head: headOf(tip),
    roster: { n: roster.n, digest: rosterDigest(crypto, roster) },
    format: LEDGER_FORMAT,
    project_genesis,
    genesis_confirmed: before?.genesis_confirmed ?? false,
    signers: { ...before?.signers, [fingerprint]: [first, tip.size - 1] },
  };
}
