// Finds follow-ups of missions that are over whose event the forge lost, and asks for them to be typed again. Looks where
// something was said lately and nowhere else: missions that are over are ever more, and the schedule looks often.
import { Failure } from '../../failure.ts';
import { courseOf } from '../../kernel/course/steps.ts';
import { missionName } from '../../kernel/values.ts';
import { readComment } from '../../forge-text/grammar.ts';
import { typeAgainReply } from '../../forge-text/replies.ts';
import { missionState } from '../mission/world.ts';
import type { Comment } from '../../ports/forge.ts';
import { personOf, type GateDesk } from './desk.ts';
import type { Hearing } from './lost-issues.ts';
import type { Site } from './site.ts';

/** How long ago something has to have changed in an issue for it to be looked at no more. */
const LOOKED_BACK_MS = 24 * 60 * 60 * 1000;
/** Of those, the ones that changed last: what else is in them was looked at when it was new. */
const LOOKED_AT_MAX = 20;

/** Of one issue in one run. */
const ASKED_MAX = 10;

const VERB = 'followup';

/** `open`: missions whose comments were looked at with everything else. */
export async function askForFollowUps(
  site: Site,
  desk: GateDesk,
  { open, pause, onSkipped }: Hearing & { readonly open: readonly string[] },
): Promise<void> {
  const found = await lostIn(desk, await lately(desk));
  if (found.size === 0) return;
  await pause();
  for (const [issue, lost] of await lostIn(desk, [...found.keys()])) {
    try {
      const mission = await endedMissionOf(site, desk, issue);
      if (mission !== undefined && !open.includes(mission)) await ask(desk, { mission, issue, lost });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      onSkipped(`issue ${issue}`, error);
    }
  }
}

async function endedMissionOf(site: Site, desk: GateDesk, issue: number): Promise<string | undefined> {
  const id = await desk.missionOf(issue);
  if (id === undefined) return undefined;
  const state = await missionState(await site.actOn(missionName(id)));
  return (courseOf(state)?.end ?? null) === null ? undefined : missionName(id);
}

type Asked = { readonly mission: string; readonly issue: number; readonly lost: readonly Comment[] };

async function ask({ forge, shown }: GateDesk, { mission, issue, lost }: Asked): Promise<void> {
  for (const { id, author } of lost.slice(0, ASKED_MAX)) {
    const about = { by: author.login, verbs: [VERB], home: shown.home, issue, comment: id };
    await forge.createComment(issue, typeAgainReply({ mission, to: id }, about));
  }
}

async function lately({ forge, world }: GateDesk): Promise<readonly number[]> {
  const since = new Date(world.bench.parts.clock.nowSeconds() * 1000 - LOOKED_BACK_MS).toISOString();
  return (await forge.issuesSince(since, LOOKED_AT_MAX)).map(({ number }) => number);
}

/** By issue: what members asked for and nobody answered. Whoever was heard got an answer, a refusal at least. */
async function lostIn(desk: GateDesk, issues: readonly number[]): Promise<ReadonlyMap<number, readonly Comment[]>> {
  const found = new Map<number, readonly Comment[]>();
  for (const issue of issues) {
    const comments = await desk.forge.comments(issue);
    const lost = comments.filter((one) => isFollowUp(desk, one) && !isAnsweredAmong(desk, comments, one.id));
    if (lost.length > 0) found.set(issue, lost);
  }
  return found;
}

function isFollowUp(desk: GateDesk, { author, body }: Comment): boolean {
  const read = readComment(body);
  return (
    read.is === 'accepted' && read.value.some(({ verb }) => verb === VERB) && personOf(desk, author.id) !== undefined
  );
}

/** Under whichever mission the answer was given. */
function isAnsweredAmong({ ownId }: GateDesk, comments: readonly Comment[], to: number): boolean {
  const mark = new RegExp(String.raw`^<!-- lazarus:reply v1 mission=\S* to=${to}[ .]`);
  return comments.some(({ author, body }) => author.id === ownId && mark.test(body));
}
