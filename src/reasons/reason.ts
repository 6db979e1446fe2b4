// What a reason is, and the steps that many of them have in common. Knows no code.

export type Reason = {
  /** The process exit code, as documented in the guide. */
  readonly exit: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 75 | 130;
  /** What happened and why, without facts. */
  readonly says: string;
  /** What to do about it: the command to type at a terminal, or whose turn it is; `<…>` is filled in by the reader. */
  readonly next: string;
  /** The same for whoever reads it in an issue, where that is another step than `next-line.ts` makes of it. */
  readonly inIssue?: string;
};

/** Rows of codes lead the same way. */
export const STATUS = 'lazarus status <mission>';
export const STORY = 'lazarus explain <mission>';
export const REPAIR = 'lazarus ledger repair --help';
export const NOTHING = 'nothing has to be done';
export const REPORT = 'the same command with --verbose, and report what it prints';
export const AGAIN = `get it again from where it came from; inside a ledger: ${REPAIR}`;
export const EVENT = `correct the event: lazarus ledger append --help; inside a ledger: ${REPAIR}`;
export const ROSTER = `make the change again: lazarus roster show; inside a ledger: ${REPAIR}`;
export const DRAFT = `sign the draft again: lazarus roster sign <draft>; inside a ledger: ${REPAIR}`;
export const PROOF = 'ask whoever made the proof for a new one: lazarus prove --help';
export const SIGNED = 'lazarus approve <mission> <digest>, with your own key';
/** In an issue: no comment can do it. */
export const SIGNED_ELSEWHERE = 'at a terminal, with your own key: lazarus approve <mission> <digest>';
export const RUNNER = 'whoever keeps the runner puts that right; another attempt then begins by itself';
export const REFILE = 'put right what is told of it; with other paths, checks or limits, file the form again';
