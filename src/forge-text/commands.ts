// The commands people can give in a comment: who may, when, and to what end. Parser, help and refusals read this one table,
// the gate the one below it. Knows nothing of comments, and decides nothing: that is the kernel's, and this says the same in words.

export type Verb = keyof typeof COMMANDS;
export type CommandInfo = {
  readonly usage: string;
  readonly who: string;
  readonly when: string;
  readonly does: string;
};

const APPROVERS = 'people on the roster; from tier 1 on not the proposer';
const CONCERNED = 'the proposer, or people on the roster';
const READERS = 'everybody who can read this issue';
const MEMBERS = 'people on the roster';
const STOPPABLE = 'until an effect is begun';

export const COMMANDS = {
  approve: {
    usage: '/approve <digest>',
    who: APPROVERS,
    when: 'awaiting',
    does: 'casts one vote on exactly that digest',
  },
  reject: {
    usage: '/reject <digest> [--final]',
    who: APPROVERS,
    when: 'awaiting',
    does: 'blocks the mission until it is withdrawn or the proposal changes; with `--final` it ends',
  },
  withdraw: {
    usage: '/withdraw',
    who: 'whoever voted',
    when: 'before the start',
    does: 'takes back your own votes, nobody else’s',
  },
  cancel: {
    usage: '/cancel',
    who: CONCERNED,
    when: STOPPABLE,
    does: 'calls the mission off: nothing new begins, a cell that runs is closed, its paths are free',
  },
  hold: {
    usage: '/hold',
    who: CONCERNED,
    when: STOPPABLE,
    does: 'lets nothing else begin: an attempt that runs comes to its end, and the mission waits',
  },
  unhold: {
    usage: '/unhold',
    who: 'whoever held it, or who may approve it',
    when: 'held',
    does: 'lets the mission go on',
  },
  retry: {
    usage: '/retry',
    who: MEMBERS,
    when: 'after an attempt that the work did not decide',
    does: 'begins the next attempt now, or asks people again where what they approved has changed',
  },
  followup: {
    usage: '/followup <goal>',
    who: MEMBERS,
    when: 'after the end',
    does: 'proposes a new mission in an issue of its own, with that goal and everything else as here; it is approved like any other, and not by whoever typed this',
  },
  plan: {
    usage: '/plan',
    who: MEMBERS,
    when: 'before the start',
    does: 'computes the plan again, or adopts a stranger’s proposal',
  },
  status: {
    usage: '/status',
    who: READERS,
    when: 'always',
    does: 'makes the status comment right again',
  },
  why: {
    usage: '/why',
    who: MEMBERS,
    when: 'always',
    does: 'says what is missing, and who can give it',
  },
  diff: {
    usage: '/diff [attempt <n>]',
    who: MEMBERS,
    when: 'while the work is kept',
    does: 'shows what an agent changed, also of work that was refused or failed: the latest, or that attempt’s',
  },
  help: { usage: '/help [command]', who: READERS, when: 'always', does: 'shows this list' },
} as const satisfies Record<string, CommandInfo>;

type Manner = {
  /** Whose word is listened to: everybody's, that of whoever asked for the mission as well, or the roster's alone. */
  readonly from: 'anybody' | 'proposer' | 'member';
  /** A comment may make one change; a beginning is a change too, and is refused in a closed issue. */
  readonly is: 'question' | 'change' | 'beginning';
  /** Whether commits of work are looked at, or gone on from: that takes git and a disk. */
  readonly needsWork: boolean;
};

/** How the gate takes each. */
export const MANNERS = {
  approve: { from: 'member', is: 'beginning', needsWork: false },
  reject: { from: 'member', is: 'change', needsWork: false },
  withdraw: { from: 'member', is: 'change', needsWork: false },
  cancel: { from: 'proposer', is: 'change', needsWork: false },
  hold: { from: 'proposer', is: 'change', needsWork: false },
  unhold: { from: 'proposer', is: 'beginning', needsWork: false },
  retry: { from: 'member', is: 'beginning', needsWork: false },
  followup: { from: 'member', is: 'change', needsWork: true },
  plan: { from: 'member', is: 'beginning', needsWork: false },
  status: { from: 'anybody', is: 'question', needsWork: false },
  why: { from: 'member', is: 'question', needsWork: false },
  diff: { from: 'member', is: 'question', needsWork: true },
  help: { from: 'anybody', is: 'question', needsWork: false },
} as const satisfies Record<Verb, Manner>;

/** Those whose `from` is this one. */
export type VerbFrom<From extends Manner['from']> = {
  [One in Verb]: (typeof MANNERS)[One]['from'] extends From ? One : never;
}[Verb];

export const VERBS = Object.keys(COMMANDS) as readonly Verb[];

export function isVerb(word: string): word is Verb {
  return Object.hasOwn(COMMANDS, word);
}

/** The command somebody probably meant: one letter away, in a long word two. */
export function nearestVerb(word: string): Verb | undefined {
  const lower = word.toLowerCase();
  const near = VERBS.map((verb) => ({ verb, steps: stepsBetween(lower, verb) })).filter(
    ({ steps }) => steps <= Math.min(STEPS_MAX, Math.floor(lower.length / LETTERS_PER_STEP)),
  );
  return near.sort((a, b) => a.steps - b.steps)[0]?.verb;
}

const STEPS_MAX = 2;
/** Every word of two letters is near to some command. */
const LETTERS_PER_STEP = 3;
const WORD_MAX = Math.max(...VERBS.map((verb) => verb.length)) + STEPS_MAX;

/** Letters put in, taken out or replaced to make one word of the other. */
function stepsBetween(from: string, to: string): number {
  const letters = Array.from(from.slice(0, 2 * WORD_MAX));
  if (letters.length > WORD_MAX) return Infinity;
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (const [i, letter] of letters.entries()) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j++)
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (letter === to[j] ? 0 : 1)));
    row = next;
  }
  return row[to.length]!;
}
