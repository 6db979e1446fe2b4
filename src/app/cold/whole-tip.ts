// The tip of a remote ledger by fetching and verifying all of it, with the project it cites: the way of whoever sees it
// for the first time, and the one that names what is wrong with a ledger. Leaves pins behind, so that it is needed once.
import { accept, refuse, type Verdict } from '../../kernel/verdict.ts';
import { FETCHED_REFS, fetchedRef, ledgerName, PROJECT_REF } from '../../ledger/names.ts';
import { readCommit } from '../../ledger/verify-commit.ts';
import type { Pin } from '../../ports/pins.ts';
import { ProjectView } from '../adoption.ts';
import { verifyLedger, type Verified } from '../verify/verify-ledger.ts';
import type { Seen } from '../verify/walk.ts';
import { readObject, Witness, type ColdWorld, type Fetched, type Known } from './cold-world.ts';
import { fallen } from './open-head.ts';

/** `pin` is the one to hold this ledger against; the project's is looked up. */
export async function wholeTip(world: ColdWorld, ref: string, pin: Pin | undefined): Promise<Verdict<Known>> {
  const whole = await world.whole();
  const { remote } = whole;
  const heads = await remote.heads([...new Set([ref, PROJECT_REF])]);
  if (heads.size > 0) await remote.fetch([...heads.keys()], FETCHED_REFS);
  // A repository may hold a mission without the project's own branch; what the mission cites is then not looked up.
  const project = ref !== PROJECT_REF && heads.has(PROJECT_REF) ? await verifiedProject(world, whole) : undefined;
  if (project?.is === 'refused') return project;
  const witness = new Witness();
  const verified = await verifyFetched(world, whole, ref, {
    isThere: heads.has(ref),
    pin,
    project: project?.value,
    onCommit: (seen) => (seen.ledger === 'mission' || ref === PROJECT_REF ? witness.see(seen) : undefined),
  });
  if (verified.is === 'refused') return verified;
  const { tip, pin: found } = verified.value;
  return accept({
    tip,
    way: 'whole',
    landed: witness.landed,
    pin: found!,
    crossed: witness.crossed,
    remote,
    project: project?.value,
  });
}

async function verifiedProject(world: ColdWorld, whole: Fetched): Promise<Verdict<ProjectView>> {
  const view = new ProjectView();
  const name = ledgerName(PROJECT_REF);
  const pin = await world.pins.read(name);
  const verified = await verifyFetched(world, whole, PROJECT_REF, {
    isThere: true,
    pin,
    onCommit: (seen) => view.add(seen),
  });
  if (verified.is === 'refused') return verified;
  await world.pins.write(name, verified.value.pin!);
  return accept(view);
}

type Against = {
  /** Whether the remote has the reference now. */
  readonly isThere: boolean;
  readonly pin: Pin | undefined;
  readonly project?: ProjectView | undefined;
  readonly onCommit: (seen: Seen) => void;
};

async function verifyFetched(
  { crypto, snapshots }: ColdWorld,
  whole: Fetched,
  ref: string,
  { isThere, pin, project, onCommit }: Against,
): Promise<Verdict<Verified>> {
  const { repository } = whole;
  const name = ledgerName(ref);
  const head = isThere ? await repository.resolve(fetchedRef(ref)) : undefined;
  if (head === undefined) return pin === undefined ? refuse('ledger_not_found', { ledger: name }) : fallen(ref, pin, 0);
  // Here nothing is left of a history that the remote no longer shows: a pinned commit that did not come is not in it.
  if (pin !== undefined && (await repository.sizes([pin.head.oid]))[0] === undefined)
    return fallen(ref, pin, await sizeAt(crypto, whole, head, pin), head);
  const mode = ref === PROJECT_REF ? 'full' : 'since-pin';
  const verified = await verifyLedger({
    crypto,
    reader: repository,
    ref,
    head,
    mode,
    pin,
    snapshots,
    project: project?.history,
    onCommit,
  });
  const { integrity } = verified.report;
  if (integrity.is === 'refused') {
    const { code, facts, index, oid } = integrity;
    return refuse(code, { ...facts, ledger: name, index, commit: oid });
  }
  return accept(verified);
}

/** What a head claims; where it claims nothing, that it is another history. */
async function sizeAt(crypto: ColdWorld['crypto'], whole: Fetched, head: string, pin: Pin): Promise<number> {
  const read = readCommit(crypto, await readObject(crypto, whole, head));
  return read.is === 'accepted' ? read.value.claims.size : pin.head.size;
}
