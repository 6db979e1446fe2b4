// Appends to a remote ledger without a clone. Same rules, same seal, same compare-and-swap as the one write path; only
// where the tip comes from differs. After a lost race or answer everything is looked at afresh.
import { Failure } from '../../failure.ts';
import type { ReasonCode } from '../../reasons.ts';
import { isStopped } from '../../kernel/stops.ts';
import type { Roster } from '../../kernel/roster/roster.ts';
import { accept, refuse, type Verdict } from '../../kernel/verdict.ts';
import { findSigner } from '../../ledger/find-signer.ts';
import { ledgerName } from '../../ledger/names.ts';
import { headOf } from '../../ledger/tip.ts';
import { prepareTransaction, type Sealed } from '../../ledger/transaction.ts';
import type { Signer } from '../../ports/keys.ts';
import type { Pin } from '../../ports/pins.ts';
import type { Wanted } from '../append.ts';
import { completeAll } from '../draft.ts';
import type { Decide, Landed } from '../ledger-session.ts';
import { refuseStopped, refuseUnheld } from '../sealing.ts';
import { Crossings } from '../verify/snapshots.ts';
import { pinAt, type ColdWorld, type Known, type Way } from './cold-world.ts';
import { cosignedTip } from './cosigned-tip.ts';
import { openHead } from './open-head.ts';
import { pinnedTip } from './pinned-tip.ts';
import { tipSincePin } from './tip-since-pin.ts';
import { wholeTip } from './whole-tip.ts';

export type ColdSubmission = {
  readonly decide: Decide;
  /** What `adding` says of the events; undefined where a rule may ask for the state. */
  readonly adding?: number | undefined;
  /** Chosen once the roster is known. */
  readonly signer: (roster: Roster) => Promise<Signer>;
  /** Told before a whole ledger is fetched and verified. */
  readonly onWhole?: () => void;
};

export type LandedCold = Landed & { readonly way: Way };

export async function appendCold(
  world: ColdWorld,
  ref: string,
  submission: ColdSubmission,
): Promise<Verdict<LandedCold>> {
  const { pins, snapshots, clock, ids, backOff } = world;
  const drawn = { tx: ids.next(), correlation: ids.next(), ids: [], atSeconds: clock.nowSeconds() };
  // Read once: a pin that another process moves meanwhile could leave behind it a transaction of ours whose answer was lost.
  let pin = await pins.read(ledgerName(ref));
  let isUnsure = false;
  let isWhole = false;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const known = isWhole ? await wholeTip(world, ref, pin) : await knownTip(world, ref, pin, submission);
    if (known.is === 'refused') return known;
    const { tip, way, landed, remote } = known.value;
    if (known.value.pin !== pin) await pins.write(ledgerName(ref), known.value.pin);
    await snapshots.keep(ledgerName(ref), known.value.crossed);
    pin = known.value.pin;
    const before = landed.get(drawn.tx);
    if (before !== undefined) return accept({ ...before, way, attempts: attempt });
    const sealed = await seal(world, known.value, submission, drawn);
    if (sealed.is === 'refused') {
      // The mission's own commits do not tell whether its project was stopped meanwhile: the project does.
      if (sealed.code !== 'cold_needs_history' || isWhole) return sealed;
      submission.onWhole?.();
      isWhole = true;
      continue;
    }
    const { objects, tip: next } = sealed.value;
    const outcome = await remote.push({ objects, updates: [{ ref, old: tip.oid, next: next.oid }] });
    if (outcome.is === 'refused') throw new Failure('push_rejected', { ref: outcome.ref, why: outcome.why });
    if (outcome.is === 'landed') {
      const own = { fingerprint: sealed.value.fingerprint, from: tip.size, until: next.size };
      await pins.write(ledgerName(ref), pinAt(world.crypto, next, pin, [own]));
      const crossings = new Crossings();
      crossings.add(next, next.size - tip.size);
      await snapshots.keep(ledgerName(ref), crossings.take());
      return accept({ head: headOf(next), from: tip.size, tx: drawn.tx, way, attempts: attempt });
    }
    isUnsure = outcome.is === 'unknown';
    await backOff(Math.min(BACK_OFF_CAP_MS, BACK_OFF_BASE_MS * 2 ** attempt));
  }
  const code = isUnsure ? 'push_unknown' : 'head_moved';
  throw new Failure(code, { ref, attempts: ATTEMPTS_MAX }, { retry: isUnsure ? 'later' : 'reload' });
}

/** How many events, if all of them only add notes or artifacts to a mission as a whole: its tasks need not be known. */
export function adding(wanted: readonly Wanted[]): number | undefined {
  return wanted.every(({ event_type, task_id }) => ADDS.has(event_type) && task_id === undefined)
    ? wanted.length
    : undefined;
}

const ADDS: ReadonlySet<string> = new Set(['note.recorded', 'artifact.recorded', 'artifact.erased']);
const ATTEMPTS_MAX = 20;
const BACK_OFF_BASE_MS = 10;
const BACK_OFF_CAP_MS = 1000;

/** The shortest way that suffices. What a short one cannot find or make sense of, the long one tells for certain. */
async function knownTip(
  world: ColdWorld,
  ref: string,
  pin: Pin | undefined,
  { adding, onWhole, signer }: ColdSubmission,
): Promise<Verdict<Known>> {
  if (pin === undefined) {
    const known = await orMore(() => cosignedTip(world, ref, signer));
    if (known?.is === 'accepted') return known;
  } else {
    try {
      const head = await openHead(world, ref, pin);
      if (head.is === 'refused') return head;
      const ways = [
        ...(adding === undefined ? [] : [() => pinnedTip(world, head.value, pin, adding)]),
        () => tipSincePin(world, ref, head.value, pin),
      ];
      for (const way of ways) {
        const known = await way();
        if (known.is === 'accepted' || known.code !== 'cold_needs_history') return known;
      }
    } catch (error) {
      if (!(error instanceof Failure && MORE_IS_NEEDED.has(error.code))) throw error;
    }
  }
  onWhole?.();
  return wholeTip(world, ref, pin);
}

async function orMore(way: () => Promise<Verdict<Known>>): Promise<Verdict<Known> | undefined> {
  try {
    return await way();
  } catch (error) {
    if (!(error instanceof Failure && (MORE_IS_NEEDED.has(error.code) || error.code === 'remote_ref_missing')))
      throw error;
    return undefined;
  }
}

/** A server that filters otherwise than asked, or takes no names of objects, or a git that cannot ask so. */
const MORE_IS_NEEDED: ReadonlySet<ReasonCode> = new Set([
  'object_missing',
  'object_corrupt',
  'git_failed',
  'remote_protocol',
]);

type Drawing = {
  readonly tx: string;
  readonly correlation: string;
  readonly ids: string[];
  readonly atSeconds: number;
};

async function seal(
  { crypto, ids }: ColdWorld,
  { tip, way, project }: Known,
  { decide, signer: choose }: ColdSubmission,
  drawn: Drawing,
): Promise<Verdict<Sealed & { readonly fingerprint: string }>> {
  const { tx, atSeconds, correlation } = drawn;
  const { roster } = tip.state!;
  const decided = decide(tip.state, { head: headOf(tip) });
  if (decided.is === 'refused') return decided;
  const signer = await choose(roster);
  const { fingerprint } = signer;
  const entry = findSigner(crypto, tip, roster, fingerprint, tip.project);
  if (entry.is === 'refused') return entry;
  const occurredAt = new Date(atSeconds * 1000).toISOString();
  const drawing = { id: (position: number) => (drawn.ids[position] ??= ids.next()), correlation, occurredAt };
  const events = completeAll(decided.value, entry.value.member, drawing, tip.state);
  if (project === undefined && way !== 'whole' && tip.kind === 'mission' && events.some(isStopped))
    return refuse('cold_needs_history', { ledger: tip.state!.ledger_id });
  const stopped = project === undefined ? undefined : refuseStopped(project, events);
  if (stopped !== undefined) return stopped;
  const prepared = prepareTransaction(crypto, tip, { tx, events, fingerprint, atSeconds });
  if (prepared.is === 'refused') return prepared;
  const sealed = prepared.value.finish(await signer.sign(prepared.value.payload, atSeconds));
  const unheld = project === undefined ? undefined : refuseUnheld(project, sealed);
  return unheld ?? accept({ ...sealed, fingerprint });
}
