// A proposal: everything that a mission asks for, in one form, whether it came from a file or from an issue. Its
// canonical bytes are what a plan, a digest and every vote are about. Knows neither file nor form, and allows nothing.
import { z } from 'zod';
import { isRefName } from '../../format/git/ref-name.ts';
import { fromUtf8, utf8 } from '../../format/bytes.ts';
import { jcs, parseCanonical } from '../../format/jcs.ts';
import { Failure } from '../../failure.ts';
import {
  AuditGates,
  Bullets,
  Context,
  firstIssue,
  Goal,
  PROSE_CHARACTERS_MAX,
  ShellCommand,
  SomeOwned,
} from '../contract/brief.ts';
import { spelledOut } from '../scope/globs.ts';
import { Allowance } from '../scope/sacred.ts';
import { isPlainLine, Line, Prose } from '../text.ts';
import { Backend, Slug, Tier } from '../values.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';

export const ACCEPTANCE_CHECKS_MAX = 32;
/** A cell that is renewed again and again ends after 24 hours. */
export const MINUTES_MAX = 24 * 60;
/** What a mission gets that says nothing of them. */
export const BUDGET_MINUTES = 30;
export const TTL_MINUTES = 60;
const PROPOSAL_BYTES_MAX = 128 * 1024;
const ARGUMENTS_MAX = 64;
const ARGUMENT_CHARACTERS_MAX = 1000;

const CAPABILITIES = ['net:registry', 'net:forge', 'repo:push-branch', 'pr:open', 'issue:comment'] as const;
export const Capability = z.enum(CAPABILITIES);
export type Capability = z.infer<typeof Capability>;

export const Minutes = z.int().min(1).max(MINUTES_MAX);
/** A branch as people name it, or a whole commit id. Never something that git reads as an option or an expression. */
export const Base = Line(200).refine(
  (name) => isRefName(`refs/heads/${name}`) && !name.startsWith('-'),
  'is no branch name',
);
const ForgeName = z.string().regex(/^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,100}$/, 'is no name of a forge');
const Target = z.strictObject({ owner: ForgeName, repo: ForgeName });

/** A command as its arguments; no shell ever reads it. */
export const Argv = z
  .array(
    z
      .string()
      .max(ARGUMENT_CHARACTERS_MAX)
      .refine(isOneArgument, 'holds a control or invisible character, or is not in Unicode form NFC'),
  )
  .min(1)
  .max(ARGUMENTS_MAX);

const Agent = z.union([
  /** An agent that the policy knows by this name. */
  z.strictObject({ name: Slug }),
  z.strictObject({ argv: Argv }),
]);

/** The sections of the brief that stand nowhere else in a proposal. */
const ProposedBrief = z.strictObject({
  context: Context,
  whatsDone: Bullets,
  currentTask: Prose(PROSE_CHARACTERS_MAX),
  doneCriteria: Prose(PROSE_CHARACTERS_MAX).refine((text) => text.trim() !== '', 'is blank'),
  keyDecisions: Bullets,
  relevantMemories: Bullets,
});

export const Proposal = z.strictObject({
  schema: z.literal('lazarus.proposal.v1'),
  /** Null: the repository at hand, without a forge. */
  target: Target.nullable(),
  base: Base,
  goal: Goal,
  purpose: Prose(PROSE_CHARACTERS_MAX),
  brief: ProposedBrief,
  /** Shell commands; each must exit with 0 on the work, in a cell of its own. */
  acceptance: z.array(ShellCommand).max(ACCEPTANCE_CHECKS_MAX),
  verifyCommand: ShellCommand,
  /** Globs of the files owned; `!` takes away. */
  paths: SomeOwned,
  allowances: z.array(Allowance).max(Allowance.options.length),
  auditGates: AuditGates,
  /** A floor: policy may raise it. */
  tier: Tier,
  capabilities: z.array(Capability).max(CAPABILITIES.length),
  backend: Backend,
  budgetMinutes: Minutes,
  ttlMinutes: Minutes,
  agent: Agent,
});
export type Proposal = z.infer<typeof Proposal>;

/** Accepts only what has one spelling: sets are sorted, so that one proposal has one digest. */
export function readProposal(value: unknown): Verdict<Proposal> {
  const proposal = Proposal.safeParse(value);
  if (!proposal.success) return refuse('proposal_malformed', firstIssue(proposal.error));
  const data = proposal.data;
  const unsorted = (['allowances', 'capabilities', 'auditGates', 'paths'] as const).find((at) => !isSet(data[at]));
  if (data.allowances.includes('auth_surface') && !data.auditGates.includes('secaudit'))
    return refuse('proposal_malformed', { at: 'allowances', why: 'auth_surface needs the audit gate secaudit' });
  const short = data.paths.find((glob) => spelledOut(glob) !== glob);
  if (short !== undefined)
    return refuse('proposal_malformed', { at: 'paths', why: 'has a second spelling of a folder' });
  return unsorted === undefined
    ? accept(data)
    : refuse('proposal_malformed', { at: unsorted, why: 'is not sorted, or names something twice' });
}

export function proposalBytes(proposal: Proposal): Uint8Array {
  return utf8(jcs(proposal));
}

export function parseProposal(bytes: Uint8Array): Verdict<Proposal> {
  if (bytes.length > PROPOSAL_BYTES_MAX)
    return refuse('proposal_malformed', { bytes: bytes.length, bytes_max: PROPOSAL_BYTES_MAX });
  try {
    return readProposal(parseCanonical(fromUtf8(bytes)));
  } catch (cause) {
    return refuse('proposal_malformed', { why: cause instanceof Failure ? cause.code : 'not UTF-8' });
  }
}

/** A set as it stands in a proposal. */
export function sortedSet<T extends string>(items: readonly T[]): T[] {
  return [...new Set(items)].sort();
}

function isSet(items: readonly string[]): boolean {
  return items.every((item, i) => i === 0 || items[i - 1]! < item);
}

// What people approve must be what runs: a hidden character would make the two differ to the eye.
function isOneArgument(argument: string): boolean {
  return argument === '' || isPlainLine(argument);
}

/** A cell that is closed while its agent may still work loses the work: what was approved as the agent's time is not. */
export function timeFault(budgetMinutes: number, ttlMinutes: number): string | undefined {
  return ttlMinutes >= budgetMinutes
    ? undefined
    : `the cell is closed after ${ttlMinutes} minutes, before the ${budgetMinutes} minutes of the agent are over`;
}
