// The one reply that a command may get. Looks first whether it was given already, so that a run that is repeated answers
// nobody twice; ours are recognised by their author, never by their text alone.
import { diffReply, type ShownDiff } from '../../forge-text/diff-reply.ts';
import {
  followedReply,
  helpReply,
  refusalReply,
  replyMark,
  retriedReply,
  strangerReply,
  whyReply,
  type Answered,
  type Followed,
  type Attempts,
} from '../../forge-text/replies.ts';
import type { StatusView } from '../../forge-text/status-view.ts';
import type { Verb } from '../../forge-text/commands.ts';
import type { Refused } from '../../kernel/verdict.ts';
import type { GateDesk } from './desk.ts';

/** Where an answer goes, and what it answers. */
export type To = { readonly issue: number; readonly to: Answered['to'] };

export type Answer =
  /** Filed a proposal, or commented on one, without being on the roster. */
  | (To & { readonly is: 'stranger' | 'outsider' })
  | (To & {
      readonly is: 'refusal';
      readonly mission: string | null;
      readonly refused: Refused;
      /** The digest that people are asked about now, and the command that was refused. */
      readonly waits?: string | undefined;
      readonly verb?: Verb | undefined;
    })
  | (To & { readonly is: 'why'; readonly view: StatusView })
  | (To & { readonly is: 'retried'; readonly view: StatusView; readonly attempts: Attempts })
  | (To & { readonly is: 'diff' } & ShownDiff)
  | (To & { readonly is: 'followed'; readonly mission: string } & Followed)
  | (To & { readonly is: 'help'; readonly mission: string | null; readonly about: Verb | null });

/** Whether it was given already, to the same comment. */
export async function isAnswered(
  { forge, ownId }: GateDesk,
  { issue, to, mission }: To & { readonly mission: string },
): Promise<boolean> {
  const mark = replyMark({ mission, to });
  return (await forge.comments(issue)).some(({ author, body }) => author.id === ownId && body.startsWith(mark));
}

export async function answer(desk: GateDesk, given: Answer): Promise<void> {
  const { forge, ownId } = desk;
  const text = textOf(given);
  const mark = text.split('\n')[0]!;
  const ours = (await forge.comments(given.issue)).filter(({ author }) => author.id === ownId);
  // Whoever is not on the roster is answered once in an issue, however often they come back.
  const isGiven =
    given.is === 'stranger' || given.is === 'outsider'
      ? ours.some((one) =>
          (['stranger', 'outsider'] as const).some((is) => sameBut(one.body, textOf({ ...given, is }))),
        )
      : ours.some(({ body }) => body.startsWith(mark));
  if (!isGiven) await forge.createComment(given.issue, text);
}

function textOf(given: Answer): string {
  switch (given.is) {
    case 'stranger':
      return strangerReply({ mission: null, to: given.to });
    case 'outsider':
      return refusalReply({ mission: null, to: given.to }, { code: 'not_authorised', facts: {} });
    case 'refusal':
      return refusalReply(
        { mission: given.mission, to: given.to },
        { ...given.refused, waits: given.waits, verb: given.verb },
      );
    case 'why':
      return whyReply({ mission: given.view.mission, to: given.to }, given.view);
    case 'retried':
      return retriedReply({ mission: given.view.mission, to: given.to }, given.view, given.attempts);
    case 'followed':
      return followedReply({ mission: given.mission, to: given.to }, given);
    case 'diff':
      return diffReply({ mission: given.mission, to: given.to }, given);
    case 'help':
      return helpReply({ mission: given.mission, to: given.to }, given.about);
  }
}

/** The same words behind another mark. */
function sameBut(body: string, text: string): boolean {
  const words = (one: string): string => one.split('\n').slice(1).join('\n').trim();
  return body.startsWith(replyMark({ mission: null, to: 0 }).slice(0, MARK_START)) && words(body) === words(text);
}

const MARK_START = '<!-- lazarus:reply'.length;
