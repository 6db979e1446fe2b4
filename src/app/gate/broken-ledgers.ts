// Ledgers that are not what they were: deleted, set back, or with garbage on their branch. Named on their issue instead of a
// status that nobody can act on. What a status comment says of a head is a hint for this alone, and makes nothing valid.
import {
  brokenLedgerComment,
  readStatusMark,
  type BrokenLedger,
  type ShownHead,
} from '../../forge-text/broken-ledger.ts';
import { stateLabel } from '../../forge-text/states.ts';
import { Failure } from '../../failure.ts';
import { missionName } from '../../kernel/values.ts';
import type { Oid } from '../../format/git/object.ts';
import { ISSUE_REFS } from '../../ledger/names.ts';
import { REASONS } from '../../reasons.ts';
import type { Comment } from '../../ports/forge.ts';
import { rootsOf } from '../mission/status-view.ts';
import { missionState, projectState, type Acting, type MissionWorld } from '../mission/world.ts';
import type { GateDesk } from './desk.ts';
import { pointerCommit } from './pointers.ts';
import { openPointers } from './open-missions.ts';
import { showLabels } from './labels.ts';

const INTEGRITY_EXIT = 6;

/** Whether the ledger itself is to blame, and not a network, a key or a rule. */
export function isBroken(error: Failure): boolean {
  return error.code === 'ledger_not_found' || REASONS[error.code].exit === INTEGRITY_EXIT;
}

/** Throws where people were shown more than the ledger holds now. To be asked before anything is written to it. */
export async function assertNotSetBack(acting: Acting, status: Comment | undefined): Promise<void> {
  const shown = status === undefined ? undefined : readStatusMark(status.body);
  if (shown === undefined || shown.mission !== missionName((await missionState(acting)).ledger_id)) return;
  if (await holds(acting, shown)) return;
  // Another job may have gone on, and shown it, since we looked.
  await missionState(acting);
  if (await holds(acting, shown)) return;
  throw new Failure('rollback_detected', { seen: shown.seq, head: shown.head });
}

async function holds(acting: Acting, { seq, head }: ShownHead): Promise<boolean> {
  const now = await acting.desk.head();
  return now.size > seq || (now.size === seq && now.oid === head) || seq === 0;
}

type Found = { readonly mission: string; readonly because: Failure };

/** What is wrong with it, and on which issue that was said; undefined where nothing leads from it to one. */
export type Broken = Pick<BrokenLedger, 'mission' | 'is' | 'because'> & { readonly issue: number | undefined };

export async function showBroken(desk: GateDesk, found: Found): Promise<Broken> {
  const { mission } = found;
  const issue = await issueOfName(desk.world, mission);
  const is = await kindOf(desk.world, mission, found.because);
  const because = is === 'missing' ? 'ledger_not_found' : found.because.code;
  const broken = { mission, is, because, issue };
  if (issue === undefined) return broken;
  const all = await desk.forge.comments(issue);
  const status = all.find(({ author, body }) => author.id === desk.ownId && readStatusMark(body)?.mission === mission);
  const { roster } = projectState(desk.world);
  const text = brokenLedgerComment({
    mission,
    is,
    because,
    shown: shownIn(status),
    roots: rootsOf(roster),
  });
  if (status === undefined) await desk.forge.createComment(issue, text);
  else if (status.body !== text) await desk.forge.editComment(status.id, text);
  const labels = (await desk.forge.issue(issue))?.labels ?? [];
  const tiers = labels.filter((one) => one.startsWith('tier/'));
  await showLabels(desk.forge, { number: issue, labels }, [stateLabel('blocked'), ...tiers]);
  return broken;
}

function shownIn(status: Comment | undefined): ShownHead | null {
  const mark = status === undefined ? undefined : readStatusMark(status.body);
  return mark === undefined || mark.seq === 0 ? null : { seq: mark.seq, head: mark.head };
}

async function kindOf(
  { bench, project }: MissionWorld,
  mission: string,
  { code }: Failure,
): Promise<BrokenLedger['is']> {
  const head = await bench.place.head(await bench.findAnywhere(mission));
  if (head === undefined) return 'missing';
  if (code === 'rollback_detected') return 'shortened';
  // Set back to before its first event.
  const { oid } = project.tip;
  return oid !== undefined && (await bench.parts.repository.isAncestor(head, oid)) ? 'shortened' : 'wedged';
}

/** By the pointers beside the ledgers: whoever deletes the ledger, the way to its issue is another reference. */
async function issueOfName({ bench, project }: MissionWorld, mission: string): Promise<number | undefined> {
  const { remote, crypto } = bench.parts;
  if (remote === undefined || project.tip.state?.kind !== 'project') return undefined;
  const [index, open] = await Promise.all([remote.heads([`${ISSUE_REFS}*`]), openPointers(bench)]);
  const registered = Object.keys(project.tip.state.missions).find((id) => missionName(id) === mission);
  const named: Oid | undefined = registered === undefined ? open.get(mission) : pointerCommit(crypto, registered).oid;
  const ref = [...index].find(([, oid]) => oid === named)?.[0];
  return ref === undefined ? undefined : Number(ref.slice(ISSUE_REFS.length));
}
