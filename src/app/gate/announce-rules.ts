// A policy that was merged counts once a root adopted it: until then the schedule says so in an issue, once for each text, and
// there again when it counts. The issue decides nothing; whoever closes it is not asked again about the same text.
import { adoptedComment, adoptLine, announcementBody, announcementTitle } from '../../forge-text/rules-announcement.ts';
import type { ProjectState } from '../../kernel/state.ts';
import { ANNOUNCED_REF } from '../../ledger/names.ts';
import { rulesIn, type Rules } from '../init/policy.ts';
import { fileAt } from '../mission/target.ts';
import { projectState } from '../mission/world.ts';
import { rootsOf } from '../mission/status-view.ts';
import type { GateDesk } from './desk.ts';
import { pointerChange, pointerCommit } from './pointers.ts';

/** Of the open issues the newest: one that is older is left as it is. */
const LOOKED_AT_MAX = 50;

export type RulesToAdopt = { readonly adopt: string; readonly roots: readonly string[] };

/** What was merged and waits to be adopted, however long ago it was announced; null where nothing does. */
export async function announceRules(desk: GateDesk): Promise<RulesToAdopt | null> {
  const { world, forge } = desk;
  const { policy: inForce, roster } = projectState(world);
  const branch = (await forge.facts())?.defaultBranch;
  if (inForce === undefined || branch === undefined) return null;
  const merged = await rulesOn(desk, branch);
  if (merged === undefined) return null;
  const { bench } = world;
  const named = pointerCommit(bench.parts.crypto, `${merged.policy} ${merged.sacred}`);
  // Names the text that was announced, so that nobody is told of it twice.
  const announced = await bench.place.head(ANNOUNCED_REF);
  if (isThat(inForce, merged)) {
    if (announced !== named.oid) return null;
    await move(desk, announced, undefined);
    const issue = await issueAbout(desk, merged);
    if (issue !== undefined) await forge.createComment(issue, adoptedComment(inForce.revision));
    return null;
  }
  const roots = rootsOf(roster);
  const waits = { adopt: adoptLine(merged.policy), roots };
  if (announced === named.oid) return waits;
  // Before the issue: two jobs at once make one of it, and one that dies here leaves the words of every plan.
  if (!(await move(desk, announced, `${merged.policy} ${merged.sacred}`))) return waits;
  const { revision } = inForce;
  const body = announcementBody({ ...merged, branch, revision, roots });
  await forge.createIssue({ title: announcementTitle(merged), body });
  return waits;
}

async function rulesOn({ world }: GateDesk, branch: string): Promise<Rules | undefined> {
  const { bench } = world;
  const commit = await bench.place.head(`refs/heads/${branch}`);
  if (commit === undefined) return undefined;
  const found = await rulesIn(bench.parts.crypto, {
    find: async (path) => ({ inTree: undefined, committed: await fileAt(bench, commit, path) }),
  });
  // What cannot be read nobody can adopt: `lazarus policy check` says why to whoever writes it.
  return found.is === 'accepted' ? found.value : undefined;
}

function isThat({ policy, sacred }: NonNullable<ProjectState['policy']>, merged: Rules): boolean {
  return policy === merged.policy && sacred === merged.sacred;
}

async function issueAbout({ forge, ownId }: GateDesk, merged: Rules): Promise<number | undefined> {
  const title = announcementTitle(merged);
  const open = await forge.newestIssues(LOOKED_AT_MAX);
  return open.find((one) => one.author.id === ownId && one.title === title)?.number;
}

async function move({ world }: GateDesk, old: string | undefined, text: string | undefined): Promise<boolean> {
  const moved = await world.bench.place.move(pointerChange(world.bench, { ref: ANNOUNCED_REF, old, text }));
  return moved.is === 'landed';
}
