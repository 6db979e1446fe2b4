// The one place that says what to do after a refusal or a failure: the line that works where the reader stands, at a
// terminal or in an issue, with the mission and the digest filled in. The words are those of the reason; knows no state.
import { REASONS, type Facts, type Reason, type ReasonCode } from './reasons.ts';

/** Whoever reads a comment answers with a comment; whoever reads a terminal types there. */
export type Reader = 'terminal' | 'issue';

export type Stuck = {
  readonly code: ReasonCode;
  readonly facts?: Facts;
  /** By name; null where it is about none. */
  readonly mission?: string | null | undefined;
  readonly ledger?: string | undefined;
  /** The digest that people are asked about now, where the facts do not have it. */
  readonly waits?: string | undefined;
  /** The command that was refused. */
  readonly verb?: string | undefined;
};

export function nextLine(stuck: Stuck, reader: Reader): string {
  return (
    voteAgain(stuck, reader) ??
    ownNo(stuck, reader) ??
    instead(stuck, reader) ??
    filledIn(lineOf(stuck.code, reader), stuck)
  );
}

/** What a verifier finds is signed already: keeping the rule now does not mend it, only the roots can go on without it. */
export function nextForFlaw({ code, ...found }: Stuck): string {
  const { exit } = REASONS[code];
  return nextLine(
    { ...found, code: exit === EXIT_NOT_WHOLE || exit === EXIT_NOT_HERE ? code : 'foreign_commit' },
    'terminal',
  );
}

const EXIT_NOT_WHOLE = 6;
const EXIT_NOT_HERE = 9;

/** A vote without a digest or with an old one: the same command with the digest that counts now. */
function voteAgain({ code, facts = {}, mission, waits, verb }: Stuck, reader: Reader): string | undefined {
  if (code !== 'digest_required' && code !== 'approval_stale') return undefined;
  const digest = digestIn(waits) ?? digestIn(facts['current']);
  if (digest === undefined) return undefined;
  const again = (verb ?? facts['command']) === 'reject' ? 'reject' : 'approve';
  if (reader === 'issue') return `/${again} ${digest}`;
  return mission === null || mission === undefined ? undefined : `lazarus ${again} ${mission} ${digest}`;
}

/** Whoever says no to a proposal of their own calls it off. */
function ownNo({ code, mission, verb }: Stuck, reader: Reader): string | undefined {
  if (code !== 'self_approval' || verb !== 'reject') return undefined;
  return reader === 'issue' ? '/cancel' : `lazarus cancel ${mission ?? '<mission>'}`;
}

/** The line as it should have stood, which the parser made of what it understood. */
function instead({ code, facts = {} }: Stuck, reader: Reader): string | undefined {
  const line = facts['instead'];
  if (code !== 'parse_error' || reader !== 'issue' || typeof line !== 'string') return undefined;
  return /^\/[a-z]{1,20}(?: (?:[0-9a-f]{12,64}|<digest>|<goal>|attempt [1-9][0-9]{0,2}))?$/.test(line)
    ? line
    : undefined;
}

function lineOf(code: ReasonCode, reader: Reader): string {
  const { next, inIssue }: Reason = REASONS[code];
  if (reader === 'terminal') return next;
  return inIssue ?? IN_A_COMMENT[next] ?? (AT_A_TERMINAL.test(next) ? KEEPERS : next);
}

/** What a reason says to type at a terminal, as people type it in an issue. */
const IN_A_COMMENT: Readonly<Record<string, string>> = {
  'lazarus status <mission>': '/status',
  'lazarus explain <mission>': '/why',
  'lazarus watch <mission>': '/status',
  'lazarus plan <mission>': '/plan',
  'lazarus approve <mission> <digest>': '/approve <digest>',
  // On a forge that runs by itself, every few minutes.
  'lazarus reconcile': 'wait some minutes: this is looked at again by itself; then /status shows what came of it',
  'lazarus reconcile <mission>': '/why',
};

/** A program with something behind it, or one that was typed already: nothing of that goes into a comment. */
const AT_A_TERMINAL =
  /(?:^|[\s:])(?:lazarus|git|gpg|gpg-connect-agent|npm|apt|bwrap|chmod|export|ssh)(?:\s|$)|\bthe same command\b/;
const KEEPERS = 'show this to whoever keeps the project: no comment helps here';

function filledIn(line: string, { facts = {}, mission, ledger, waits }: Stuck): string {
  const known: Readonly<Record<string, string | null | undefined>> = {
    '<mission>': mission,
    '<ledger>': ledger ?? ledgerIn(facts['ledger']),
    '<digest>': digestIn(waits) ?? digestIn(facts['current']) ?? digestIn(facts['digest']),
  };
  return line.replaceAll(/<(?:mission|ledger|digest)>/g, (hole) => known[hole] ?? hole);
}

function ledgerIn(fact: unknown): string | undefined {
  return typeof fact === 'string' && /^(?:project|m-[0-9a-f]{12})$/.test(fact) ? fact : undefined;
}

/** As many digits as a command must have at least. */
const DIGEST_CHARACTERS = 12;

export function shortDigest(digest: string): string {
  return digest.replace(/^sha256:/, '').slice(0, DIGEST_CHARACTERS);
}

/** Only what can be nothing but a digest: facts may quote what somebody else wrote. */
function digestIn(fact: unknown): string | undefined {
  const [text] = Array.isArray(fact) ? (fact as readonly unknown[]) : [fact];
  return typeof text === 'string' && /^[0-9a-f]{64}$/.test(text) ? shortDigest(text) : undefined;
}
