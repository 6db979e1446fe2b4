// The board: one issue of ours that shows what waits in all missions. Found again by a reference that names it, and taken for
// ours by the account that wrote it alone: an issue of the same title is somebody else's. It decides nothing; who deletes or
// closes it gets another one, or the same one open again.
import { BOARD_TITLE, boardText, isBoard, type Board } from '../../forge-text/board.ts';
import type { Issue } from '../../ports/forge.ts';
import { BOARD_REFS } from '../../ledger/names.ts';
import type { Oid } from '../../format/git/object.ts';
import { stoppedView } from '../mission/status-view.ts';
import { instant, projectState } from '../mission/world.ts';
import { refsBelow } from '../refs-below.ts';
import type { Workbench } from '../workbench.ts';
import type { GateDesk } from './desk.ts';
import { pointerChange } from './pointers.ts';

/** Of what anybody pushed there. */
const POINTERS_MAX = 3;
/** Of the open issues the newest, where no reference leads to it: a job that died made it a moment ago. */
const LOOKED_AT_MAX = 50;
const DAY_CHARACTERS = '2026-01-31'.length;

export async function showBoard(desk: GateDesk, seen: Pick<Board, 'rows' | 'rules'>): Promise<void> {
  const { forge, world, shown } = desk;
  const pointers = await pointersOf(world.bench);
  const [found, ...others] = await boardsAmong(desk, pointers);
  // Two jobs at once made two.
  for (const { number, isOpen } of others) if (isOpen) await forge.editIssue(number, { isOpen: false });
  const day = instant(world).slice(0, DAY_CHARACTERS);
  const about = { ...seen, stopped: stoppedView(projectState(world)), home: shown.home, day };
  const body = boardText({ ...about, isPinned: found?.isPinned ?? false });
  const board = found ?? (await forge.createIssue({ title: BOARD_TITLE, body }));
  if (!isShown(board, body)) await forge.editIssue(board.number, { title: BOARD_TITLE, body, isOpen: true });
  await pointTo(world.bench, pointers, board.number);
}

function isShown({ title, body, isOpen }: Issue, text: string): boolean {
  return isOpen && title === BOARD_TITLE && body === text;
}

async function boardsAmong(desk: GateDesk, pointers: ReadonlyMap<string, Oid>): Promise<readonly Issue[]> {
  const { forge, ownId } = desk;
  const isOurs = (issue: Issue): boolean => issue.author.id === ownId && !issue.isPullRequest && isBoard(issue);
  const named: Issue[] = [];
  for (const ref of [...pointers.keys()].slice(0, POINTERS_MAX)) {
    const issue = await forge.issue(numberIn(ref));
    if (issue !== undefined && isOurs(issue)) named.push(issue);
  }
  return named.length > 0 ? named : (await forge.newestIssues(LOOKED_AT_MAX)).filter(isOurs).slice(0, 1);
}

async function pointersOf(bench: Workbench): Promise<ReadonlyMap<string, Oid>> {
  const heads = await refsBelow(bench, BOARD_REFS);
  return new Map([...heads].filter(([ref]) => numberIn(ref) > 0).sort(([a], [b]) => numberIn(a) - numberIn(b)));
}

/** It is the last part of the name: nothing has to be fetched to read it. */
function numberIn(ref: string): number {
  const text = ref.slice(BOARD_REFS.length);
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0;
}

/** What leads elsewhere goes away in the same push; where nothing has to change there is none. */
async function pointTo(bench: Workbench, pointers: ReadonlyMap<string, Oid>, issue: number): Promise<void> {
  const wanted = `${BOARD_REFS}${issue}`;
  const gone = [...pointers].filter(([ref]) => ref !== wanted).map(([ref, old]) => ({ ref, old, next: undefined }));
  const made = pointers.has(wanted)
    ? { objects: [], updates: [] }
    : pointerChange(bench, { ref: wanted, old: undefined, text: `board ${issue}` });
  const updates = [...made.updates, ...gone];
  // Whoever moved it meanwhile is looked at the next time.
  if (updates.length > 0) await bench.place.move({ objects: made.objects, updates });
}
