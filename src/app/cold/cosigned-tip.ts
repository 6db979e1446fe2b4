// The whole tip of a mission that this machine never verified, from a snapshot that two other persons computed and signed.
// Who they are is proven from the project's genesis, which this machine knows. Says yes or that more is needed, never no.
import { fromUtf8 } from '../../format/bytes.ts';
import { parseTree } from '../../format/git/tree.ts';
import { Failure } from '../../failure.ts';
import { personOf, Roster, type Member } from '../../kernel/roster/roster.ts';
import { accept, refuse, type Verdict } from '../../kernel/verdict.ts';
import { proveKeys, type Proven } from '../../ledger/bundle.ts';
import { readStanding, rosterFiles, standingFile } from '../../ledger/derived.ts';
import {
  FETCHED_REFS,
  fetchedRef,
  FILES,
  ledgerName,
  missionRef,
  PROJECT_REF,
  snapshotRef,
} from '../../ledger/names.ts';
import {
  checkSnapshotSignature,
  decodeSnapshot,
  hasProvenKeys,
  otherPersons,
  OTHERS_NEEDED,
  snapshotStatement,
  type SharedSnapshot,
} from '../../ledger/snapshot.ts';
import { headOf, type Tip } from '../../ledger/tip.ts';
import type { ReadCommit } from '../../ledger/verify-commit.ts';
import type { Signer } from '../../ports/keys.ts';
import type { Pin } from '../../ports/pins.ts';
import { pinOf } from '../pin-of.ts';
import { readShared, type SharedFiles } from '../shared-snapshot.ts';
import { pinAt, readObject, type ColdWorld, type Known } from './cold-world.ts';
import { openHead } from './open-head.ts';
import { tipFrom } from './tip-since-pin.ts';

/** `self`: who is about to append, and does not count as another. */
export async function cosignedTip(
  world: ColdWorld,
  ref: string,
  self: (roster: Roster) => Promise<Signer>,
): Promise<Verdict<Known>> {
  const { crypto, part, pins } = world;
  const needed = refuse('cold_needs_history', { ledger: ledgerName(ref) });
  const project = ref === PROJECT_REF ? undefined : await pins.read(ledgerName(PROJECT_REF));
  if (project === undefined) return needed;
  const shared = await sharedFiles(world, ref);
  const snapshot = shared && decodeSnapshot(shared.snapshot);
  if (shared === undefined || snapshot === undefined || missionRef(snapshot.ledgerId) !== ref) return needed;
  const proven = proveKeys(crypto, shared.proof, { genesis: project.project_genesis });
  if (proven.is === 'refused' || !isOf(snapshot, proven.value)) return needed;
  const { state } = proven.value.tip;
  if (state === undefined || !hasProvenKeys(crypto, snapshot.state, state)) return needed;
  const now = await keysNow(world, project);
  if (now === undefined) return needed;
  const { fingerprint } = await self(state.roster);
  const own = state.roster.members.find((member) => member.keys.some((key) => key.fingerprint === fingerprint));
  if (own === undefined) return needed;
  const signers = signersOf(world, shared, snapshot, proven.value).filter((one) => now.counts(one));
  if (
    otherPersons(
      signers.map(({ member }) => member),
      own,
    ).size < OTHERS_NEEDED
  )
    return needed;
  const head = await openHead(world, ref, { ...project, head: snapshot.head });
  if (head.is === 'refused') return needed;
  const from = await tipFrom(world, ref, head.value, snapshot);
  if (from === undefined || !hasTreeOf(world, from.start)) return needed;
  const { tip, start, witness } = from;
  return accept({
    tip,
    way: 'cosigned',
    landed: witness.landed,
    pin: pinAt(crypto, tip, firstPin(world, project, start, proven.value), witness.signed),
    crossed: [start, ...witness.crossed],
    remote: part.remote,
  });
}

async function sharedFiles({ part }: ColdWorld, ref: string): Promise<SharedFiles | undefined> {
  const target = snapshotRef(ledgerName(ref));
  try {
    await part.remote.fetchPart({ wants: [target], commitsMax: 1, treeDepth: 2 }, FETCHED_REFS);
  } catch (error) {
    if (error instanceof Failure && error.code === 'remote_ref_missing') return undefined;
    throw error;
  }
  const oid = await part.repository.resolve(fetchedRef(target));
  return oid === undefined ? undefined : readShared(part.repository, oid);
}

/** The proof is of this very head, and not of another, older or foreign one. */
function isOf({ head, ledgerId }: SharedSnapshot, { tip }: Proven): boolean {
  if (tip.kind !== 'mission' || tip.state?.ledger_id !== ledgerId) return false;
  const { size, root, oid } = headOf(tip);
  return size === head.size && root === head.root && oid === head.oid;
}

type Signed = { readonly fingerprint: string; readonly member: Member };

function signersOf({ crypto }: ColdWorld, shared: SharedFiles, snapshot: SharedSnapshot, { tip }: Proven): Signed[] {
  const statement = snapshotStatement(crypto, shared.snapshot, snapshot);
  return shared.signatures.flatMap((one) => {
    const checked = checkSnapshotSignature(crypto, tip, statement, one);
    return checked.is === 'refused' ? [] : [{ fingerprint: one.fingerprint, member: checked.value }];
  });
}

/**
 * Who left or was cut off since that head must not be counted. The project's head as the remote shows it, which nobody
 * verified here: it can only take away from what was proven, and what it takes away costs time.
 */
async function keysNow(world: ColdWorld, pin: Pin): Promise<{ counts(one: Signed): boolean } | undefined> {
  const head = await openHead(world, PROJECT_REF, pin);
  if (head.is === 'refused') return undefined;
  const { crypto, part } = world;
  try {
    const tree = parseTree((await readObject(crypto, part, head.value.commit.tree)).body);
    const body = async (name: string): Promise<Uint8Array> =>
      (await readObject(crypto, part, tree.find((entry) => entry.name === name)?.oid ?? '')).body;
    const cutOff = new Set(readStanding(await body(FILES.standing)).cut_offs);
    const roster = Roster.safeParse(JSON.parse(fromUtf8(await body(FILES.roster))));
    if (!roster.success) return undefined;
    return { counts: (one) => !cutOff.has(one.fingerprint) && isListed(roster.data, head.value, one) };
  } catch (error) {
    if (error instanceof Failure || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isListed(roster: Roster, { claims }: ReadCommit, { fingerprint, member }: Signed): boolean {
  return roster.members.some(
    (now) =>
      personOf(now) === personOf(member) &&
      now.keys.some(
        (key) =>
          key.fingerprint === fingerprint && key.from <= claims.size && (key.until === null || claims.size < key.until),
      ),
  );
}

/** The commit that was proven has the roster and the standing of the state: a proof need not show who was cut off. */
function hasTreeOf({ crypto }: ColdWorld, { state, layout }: Tip): boolean {
  const entries = new Map(parseTree(layout.root!.body).map(({ name, oid }) => [name, oid]));
  const files = rosterFiles(crypto, state!.roster);
  return (
    entries.get(FILES.roster) === files[FILES.roster]!.oid &&
    entries.get(FILES.standing) === standingFile(crypto, state!).oid
  );
}

/**
 * Who signed which events before the snapshot is not known: every key that was ever on the roster may have, so that a
 * cut-off of any of them has everything verified again.
 */
function firstPin({ crypto }: ColdWorld, project: Pin, start: Tip, { keys }: Proven): Pin {
  const all = [0, start.size - 1] as const;
  const signers = Object.fromEntries([...keys].map((fingerprint) => [fingerprint, all]));
  return pinOf(crypto, start, { genesis_confirmed: project.genesis_confirmed, signers });
}
