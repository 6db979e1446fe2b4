// What stands in the place of a status where a mission's ledger is not what it was: missing, shortened, or with something on
// its branch that is none of it. Nothing to approve stands there. Text only; whoever shows it found out.
import { REASONS, type ReasonCode } from '../reasons.ts';
import { block, code, missionWord, word } from './shown.ts';
import { names } from './status-words.ts';

/** What a status comment was made from. */
export type ShownHead = { readonly seq: number; readonly head: string };

export type BrokenLedger = {
  readonly mission: string;
  readonly is: 'missing' | 'shortened' | 'wedged';
  readonly because: ReasonCode;
  /** What was shown here last; null where nothing was. */
  readonly shown: ShownHead | null;
  readonly roots: readonly string[];
};

export function statusMark({ mission, seq, head }: ShownHead & { readonly mission: string }): string {
  return `<!-- lazarus:status v1 mission=${word(mission)} seq=${seq} head=${word(head)} -->`;
}

/** Of a status comment of ours, whichever kind; undefined for anything else. */
export function readStatusMark(body: string): (ShownHead & { readonly mission: string }) | undefined {
  const found = /^<!-- lazarus:status v1 mission=(m-[0-9a-f]{12}) seq=(\d{1,12}) head=([0-9a-f]{40}) -->/.exec(body);
  if (found === null) return undefined;
  const [, mission = '', seq = '', head = ''] = found;
  return { mission, seq: Number(seq), head };
}

export function brokenLedgerComment(broken: BrokenLedger): string {
  const { mission, is, because, shown } = broken;
  return [
    `${statusMark({ mission, ...(shown ?? NOTHING_SHOWN) })}\n### ${missionWord(mission)} · ${HEADINGS[is]}`,
    `**Because** ${code(because)}: ${code(REASONS[because].says)}`,
    `${WHAT[is]} Nothing can be approved here, and no job goes on with it, until that is put right.`,
    ...(shown === null ? [] : [`Shown here last: ${shown.seq} events, head ${code(shown.head)}.`]),
    ...repairOf(broken),
    'The next look at it, by the schedule, shows the status again.',
  ].join('\n\n');
}

const NOTHING_SHOWN: ShownHead = { seq: 0, head: '0'.repeat(40) };

/** In a few words, and what puts it right soonest. */
export function brokenWords({ mission, is }: Pick<BrokenLedger, 'mission' | 'is'>): {
  readonly says: string;
  readonly line: string;
} {
  return { says: HEADINGS[is], line: is === 'wedged' ? repairLine(mission) : pushLine(mission) };
}

function pushLine(mission: string): string {
  return `lazarus ledger push origin ${mission}`;
}

function repairLine(mission: string): string {
  return `lazarus ledger repair ${mission} --remote origin`;
}

const HEADINGS: Readonly<Record<BrokenLedger['is'], string>> = {
  missing: 'its ledger is missing',
  shortened: 'its ledger was set back',
  wedged: 'its ledger cannot be read',
};

const WHAT: Readonly<Record<BrokenLedger['is'], string>> = {
  missing: 'Somebody deleted the branch that is the record of this mission.',
  shortened: 'The branch that is the record of this mission no longer holds what was shown here.',
  wedged:
    'Somebody put onto the branch that is the record of this mission what no member signed, or what breaks its rules.',
};

function repairOf({ mission, is, roots }: BrokenLedger): readonly string[] {
  const pushed = ['Whoever has it whole in a clone types there, and it is as it was:', block([pushLine(mission)])];
  switch (is) {
    case 'missing':
      return [...pushed, 'If nobody has it, file the proposal again as a new issue.'];
    case 'shortened':
      return [...pushed, 'If nobody set it back, and only this comment was edited, delete this comment.'];
    case 'wedged':
      return [
        `A root (${names(roots)}) types in a clone, to go on from the last head that is in order:`,
        block([repairLine(mission)]),
      ];
  }
}
