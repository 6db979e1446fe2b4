// A tip that is good enough for events which only add to a mission (notes, artifacts), from the few files at the top of a
// pinned head: who may sign and whether the ledger takes anything at all. Its tasks stay unknown, and no rule that asks
// for them may be decided here.
import { fromUtf8 } from '../../format/bytes.ts';
import { parseTree } from '../../format/git/tree.ts';
import { Failure } from '../../failure.ts';
import { Roster } from '../../kernel/roster/roster.ts';
import { NOTHING_MOVED, type MissionState } from '../../kernel/state.ts';
import { accept, refuse, type Verdict } from '../../kernel/verdict.ts';
import { readFrontier, readStanding } from '../../ledger/derived.ts';
import { FILES, hotDirectory, segmentOf } from '../../ledger/names.ts';
import type { Tip } from '../../ledger/tip.ts';
import { GENESIS_SELF, type Claims } from '../../ledger/trailers.ts';
import type { ReadCommit } from '../../ledger/verify-commit.ts';
import type { Pin } from '../../ports/pins.ts';
import { readObject, type ColdWorld, type Known } from './cold-world.ts';

/** Refused as `cold_needs_history` where the head is not the pinned one, or the whole state will be needed. */
export async function pinnedTip(
  { crypto, part }: ColdWorld,
  { oid, commit, claims }: ReadCommit,
  pin: Pin,
  adding: number,
): Promise<Verdict<Known>> {
  const { size, root, project } = claims;
  if (pin.head.oid !== oid || project === undefined) return refuse('cold_needs_history', { head: oid });
  // Filing a full segment takes directories that are not fetched here, and leaves a snapshot of the whole state.
  if (segmentOf(size) !== segmentOf(size + adding)) return refuse('cold_needs_history', { head: oid });
  const tree = await readObject(crypto, part, commit.tree);
  const top = new Map(parseTree(tree.body).map((entry) => [entry.name, entry.oid]));
  const body = async (name: string): Promise<Uint8Array> => {
    const file = top.get(name);
    if (file === undefined) throw new Failure('object_missing', { path: name });
    return (await readObject(crypto, part, file)).body;
  };
  const frontier = readFrontier(crypto, await body(FILES.frontier), size, root);
  if (frontier.is === 'refused') return frontier;
  const standing = readStanding(await body(FILES.standing));
  if (standing.sealed) return refuse('ledger_sealed', { ledger: claims.ledgerId });
  const roster = Roster.parse(JSON.parse(fromUtf8(await body(FILES.roster))));
  const hot = top.get(hotDirectory(segmentOf(size)));
  const layout: Tip['layout'] = {
    size,
    hot: hot === undefined ? undefined : await readObject(crypto, part, hot),
    fan: undefined,
    fullFans: new Uint8Array(0),
    segments: top.get(FILES.segments),
    root: tree,
  };
  const state = stateFor(claims, { pin, roster, cutOff: standing.cut_offs });
  const kind = 'mission' as const;
  const recent = [claims.tx];
  const tip: Tip = {
    kind,
    oid,
    size,
    root,
    frontier: frontier.value,
    layout,
    state,
    recent,
    genesis: claims.genesis === GENESIS_SELF ? oid : claims.genesis,
    project,
    parent: undefined,
  };
  return accept({ tip, way: 'pinned', landed: new Map(), pin, crossed: [], remote: part.remote });
}

type FromHead = { readonly pin: Pin; readonly roster: Roster; readonly cutOff: readonly string[] };

/** A mission's state as far as signatures and additions ask for it. */
function stateFor({ ledgerId, project }: Claims, { pin, roster, cutOff }: FromHead): MissionState {
  const { project_id } = roster;
  return {
    kind: 'mission',
    causes: NOTHING_MOVED,
    ledger_id: ledgerId,
    project_id,
    project_genesis: pin.project_genesis,
    grew_from: project!,
    proposal: null,
    roster,
    cut_offs: cutOff.map((fingerprint) => ({ fingerprint, heads: [], project_id, roster: '' })),
    annotations: [],
    sealed: false,
    tasks: {},
    notes: 0,
    artifacts: { recorded: 0, erased: 0 },
  };
}
