// The commands people can give in a comment: who may, when, to what end, and whether this version obeys them. Parser, help
// and refusals read this one table. Knows nothing of comments.

export type Verb = keyof typeof COMMANDS;
export type CommandInfo = {
  readonly usage: string;
  readonly who: string;
  readonly when: string;
  readonly does: string;
  readonly available: boolean;
};

const APPROVER = 'an approver for the tier; from tier 1 on not the proposer; people only';
const READERS = 'everybody who can read this issue';
const MEMBERS = 'people on the roster';

export const COMMANDS = {
  approve: {
    usage: '/approve <digest>',
    who: APPROVER,
    when: 'awaiting',
    does: 'casts one vote on exactly that digest',
    available: true,
  },
  reject: {
    usage: '/reject <digest> [--final]',
    who: 'an approver',
    when: 'awaiting',
    does: 'blocks the mission until it is withdrawn or the proposal changes; with `--final` it ends',
    available: true,
  },
  withdraw: {
    usage: '/withdraw',
    who: 'whoever voted',
    when: 'before the start',
    does: 'takes back your own votes, nobody else’s',
    available: true,
  },
  cancel: {
    usage: '/cancel',
    who: 'the proposer, or any person on the roster',
    when: 'until an effect is begun',
    does: 'calls the mission off: nothing new begins, a cell that runs is closed, its paths are free',
    available: true,
  },
  plan: {
    usage: '/plan',
    who: 'the proposer, an operator',
    when: 'proposed',
    does: 'computes the plan again, or adopts a stranger’s proposal',
    available: true,
  },
  status: {
    usage: '/status',
    who: READERS,
    when: 'always',
    does: 'makes the status comment right again',
    available: true,
  },
  why: {
    usage: '/why',
    who: MEMBERS,
    when: 'always',
    does: 'says what is missing, and who can give it',
    available: true,
  },
  help: { usage: '/help [command]', who: READERS, when: 'always', does: 'shows this list', available: true },
  hold: { usage: '/hold', who: 'an approver', when: 'any open', does: 'stops new attempts', available: false },
  unhold: { usage: '/unhold', who: 'an approver', when: 'held', does: 'ends a hold', available: false },
  retry: {
    usage: '/retry [--from=<step>]',
    who: 'an operator',
    when: 'failed',
    does: 'begins a new attempt under the same digest',
    available: false,
  },
  grant: {
    usage: '/grant <capability> --until=<time>',
    who: 'a granter, signed only',
    when: 'awaiting, running',
    does: 'gives a capability',
    available: false,
  },
  revoke: {
    usage: '/revoke <capability>',
    who: 'a granter, signed only',
    when: 'awaiting, running',
    does: 'takes a capability away',
    available: false,
  },
  answer: {
    usage: '/answer <question> "…"',
    who: 'the proposer, an operator',
    when: 'blocked',
    does: 'answers a question of the agent',
    available: false,
  },
  diff: {
    usage: '/diff <digest> <digest>',
    who: READERS,
    when: 'always',
    does: 'compares two revisions',
    available: false,
  },
  lock: { usage: '/lock', who: 'an operator', when: 'always', does: 'takes the lease by hand', available: false },
  unlock: {
    usage: '/unlock --lease=<id>',
    who: 'an operator',
    when: 'always',
    does: 'gives a lease up by hand',
    available: false,
  },
  close: {
    usage: '/close',
    who: 'the proposer, an approver',
    when: 'ended',
    does: 'archives the mission',
    available: false,
  },
  reopen: {
    usage: '/reopen',
    who: 'the proposer, an approver',
    when: 'closed',
    does: 'opens it again',
    available: false,
  },
} as const satisfies Record<string, CommandInfo>;

export const VERBS = Object.keys(COMMANDS) as readonly Verb[];

export function isVerb(word: string): word is Verb {
  return Object.hasOwn(COMMANDS, word);
}

/** The command somebody probably meant: one letter away, in a long word two. One that is not to be had is nobody's wish. */
export function nearestVerb(word: string): Verb | undefined {
  const lower = word.toLowerCase();
  const near = VERBS.filter((verb) => COMMANDS[verb].available)
    .map((verb) => ({ verb, steps: stepsBetween(lower, verb) }))
    .filter(({ steps }) => steps <= Math.min(STEPS_MAX, Math.floor(lower.length / LETTERS_PER_STEP)));
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
