// Finds commands that no run has seen, because the forge lost their event, and asks for them to be typed again: a comment
// that is fetched later may have been edited by anybody who may write here, so nothing is ever done for one.
import { changes, readComment, type Command } from '../../forge-text/grammar.ts';
import { replyMark, typeAgainReply } from '../../forge-text/replies.ts';
import type { MissionState } from '../../kernel/state.ts';
import { missionName } from '../../kernel/values.ts';
import type { Comment } from '../../ports/forge.ts';
import { isStopping } from './commands.ts';
import { personOf, type GateDesk } from './desk.ts';
import type { ToShow } from './show.ts';

/** Commands whose only answer is what they change in the ledger; the others a person can see going unanswered. */
function leavesATrace(verb: Command['verb']): boolean {
  return verb !== 'plan' && changes({ verb });
}

/** Of one issue in one run: a flood of comments must not keep the other missions waiting. */
const ASKED_MAX = 10;

/** Answers with the comments as they were seen. `pause`: a command that was typed a moment ago may be on its way; what is still unseen after it is lost. */
export async function askAgain(
  desk: GateDesk,
  { acting, state, issue }: ToShow,
  pause: () => Promise<void>,
): Promise<readonly Comment[]> {
  const { forge, shown } = desk;
  const mission = missionName(state.ledger_id);
  const before = await forge.comments(issue);
  if ((await unseen(desk, { acting, state }, before)).length === 0) return before;
  await pause();
  await acting.desk.state();
  const comments = await forge.comments(issue);
  const lost = (await unseen(desk, { acting, state }, comments)).slice(0, ASKED_MAX);
  for (const { id, author, verbs } of lost) {
    const about = { by: author.login, verbs, home: shown.home, issue, comment: id };
    await forge.createComment(issue, typeAgainReply({ mission, to: id }, about));
  }
  return comments;
}

type Unseen = Comment & { readonly verbs: readonly Command['verb'][] };

async function unseen(
  desk: GateDesk,
  { acting, state }: Pick<ToShow, 'acting' | 'state'>,
  comments: readonly Comment[],
): Promise<readonly Unseen[]> {
  const spoken = comments.flatMap((comment): Unseen[] => {
    const verbs = verbsIn(comment.body);
    return verbs.length > 0 && mayHaveSaid(desk, state, { ...comment, verbs }) ? [{ ...comment, verbs }] : [];
  });
  if (spoken.length === 0) return [];
  const answers = comments.filter(({ author }) => author.id === desk.ownId).map(({ body }) => body);
  const recorded = new Set((await acting.desk.told()).heard);
  const mission = missionName(state.ledger_id);
  // Of several commands in a comment, each has a mark that begins alike.
  const isAnswered = (to: number): boolean =>
    [mission, null].some((name) => {
      const start = replyMark({ mission: name, to }).slice(0, -' -->'.length);
      return answers.some((body) => body.startsWith(`${start} `) || body.startsWith(`${start}.`));
    });
  return spoken.filter(({ id }) => !recorded.has(id) && !isAnswered(id));
}

/** Of a proposer whom no roster has only what would count from them. */
function mayHaveSaid(desk: GateDesk, { course }: MissionState, { author, verbs }: Unseen): boolean {
  if (personOf(desk, author.id) !== undefined) return true;
  const isTheirs = course?.proposers.some(({ forge_user_id }) => forge_user_id === author.id) === true;
  return isTheirs && verbs.some((verb) => isStopping({ verb }));
}

function verbsIn(body: string): Unseen['verbs'] {
  const reading = readComment(body);
  if (reading.is !== 'accepted') return [];
  return reading.value.map(({ verb }) => verb).filter(leavesATrace);
}
