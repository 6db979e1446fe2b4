// How long the parts of a mission's latest attempt took, and what is known of why it came to nothing: paths, commands, what
// was in the way, what the failing one printed last. From verified events and the documents they name; agents wrote parts of
// these, and whoever shows them shows them as that.
import { z } from 'zod';
import { checksOf, type PlanDocument } from '../../kernel/mission/plan-document.ts';
import type { AttemptView, FailureView } from '../../forge-text/status-view.ts';
import { ledgerName } from '../../ledger/names.ts';
import type { Workbench } from '../workbench.ts';
import { agentEndWords, endWords } from './cell-end-words.ts';
import { Facts } from './cell-facts.ts';
import { readDocument, readJson } from './documents.ts';
import { parsePrinted } from '../printed/document.ts';
import type { Moment, ToldAttempt } from './told-attempts.ts';

type Reading = {
  readonly bench: Workbench;
  readonly ref: string;
  readonly plan?: PlanDocument | undefined;
};

/** Null before anything of it began. */
export async function attemptView(attempts: readonly ToldAttempt[], reading: Reading): Promise<AttemptView | null> {
  const attempt = attempts.at(-1);
  if (attempt === undefined || (attempt.at.born === undefined && attempt.because === null)) return null;
  const facts = await factsOf(attempt, reading);
  const failure = attempt.because === null ? null : await failureOf(attempt, facts, reading);
  return { no: attempt.no, took: partsOf(attempt, facts), failure };
}

const Audit = z.object({ violations: z.array(z.object({ path: z.string(), code: z.string() })) });

async function factsOf({ agent, prepare, checks }: ToldAttempt, { bench, ref }: Reading): Promise<Facts> {
  // Of a check that could not be run, what was in its way stands with the check.
  const digests = [agent, prepare, ...checks].flatMap((one) => one?.facts ?? []);
  const all = await Promise.all(digests.map((digest) => readJson(bench, ref, digest, Facts)));
  // The agent's own come last and count; what it says nothing of is left to the others.
  const said = all.flatMap((facts) => Object.entries(facts ?? {})).filter(([, value]) => value !== undefined);
  return Object.fromEntries(said.reverse());
}

async function failureOf(attempt: ToldAttempt, facts: Facts, reading: Reading): Promise<FailureView> {
  const audit = attempt.audit === null ? undefined : await readJson(reading.bench, reading.ref, attempt.audit, Audit);
  const violations = audit?.violations ?? [];
  const commands = reading.plan === undefined ? [] : checksOf(reading.plan.proposal);
  const failing = attempt.checks.map(({ n, because, exit_code }) => ({
    command: commands[n]?.shellText ?? `check ${n}`,
    how: endWords(because, exit_code),
  }));
  return {
    paths: violations.map(({ path, code }) => ({ path, because: code })),
    commands: failing,
    known: knownOf(attempt, facts),
    printed: await printedOf(attempt, failing[0]?.command, reading),
    kept: keptOf(attempt, facts, reading),
  };
}

/** Of work that its checks failed the ledger has the commit; of refused work the document alone. */
function keptOf({ work, no }: ToldAttempt, { keep }: Facts, { ref }: Reading): FailureView['kept'] {
  const commit = work ?? keep?.commit ?? null;
  const until = keep?.until ?? null;
  if (commit === null || until === null) return null;
  return { commit, until, line: `lazarus diff ${ledgerName(ref)} --attempt ${no}` };
}

/** For whoever fetches it: what the ledger, or a document that it names by digest, says the work was. */
export async function workOf(attempt: ToldAttempt, reading: Reading): Promise<string | null> {
  return attempt.work ?? (await factsOf(attempt, reading)).keep?.commit ?? null;
}

/** How the agent ended, or why nothing could begin; nothing where that went well. */
function knownOf({ prepare, checks, because }: ToldAttempt, { exit, trouble }: Facts): readonly string[] {
  const isJudged = checks.length > 0 || because === 'scope_violated' || because === 'nothing_done';
  return [
    ...(prepare === null
      ? []
      : [`preparing the environment ended with ${endWords(prepare.because, prepare.exit_code)}`]),
    ...(exit && !isJudged && prepare === null && exit.code !== 0 ? [agentEndWords(exit)] : []),
    ...(trouble ? [trouble.why === '' ? trouble.code : `${trouble.code}: ${trouble.why}`] : []),
  ];
}

/** Of the first check that failed, or of what came before there was one, as far as policy lets everybody see it. */
async function printedOf(
  { agent, prepare, checks: [check] }: ToldAttempt,
  command: string | undefined,
  { bench, ref }: Reading,
): Promise<FailureView['printed']> {
  const failed =
    check !== undefined
      ? { of: check, by: command ?? `check ${check.n}` }
      : prepare !== null
        ? { of: prepare, by: 'preparing the environment' }
        : { of: agent, by: 'the agent' };
  const digest = failed.of?.output ?? null;
  if (digest === null) return null;
  const bytes = await readDocument(bench, ref, digest).catch(() => undefined);
  const lines = (bytes === undefined ? undefined : parsePrinted(bytes)?.excerpt) ?? [];
  return lines.length === 0 ? null : { by: failed.by, lines };
}

const SECOND_MS = 1000;
/** A mission lives for days at most; whoever dates its events otherwise is told nothing of the time between. */
const PART_SECONDS_MAX = 30 * 24 * 3600;

/** From signers' dates, and inside of the agent's cell from its supervisor's clock. Dates that go backwards come to nothing. */
function partsOf({ at }: ToldAttempt, { exit, took }: Facts): AttemptView['took'] {
  const inside = secondsBetween(at, 'born', 'handed_over');
  const known = [
    { what: 'preparing', seconds: took && took.prepare_ms > 0 ? took.prepare_ms / SECOND_MS : undefined },
    { what: 'agent', seconds: exit ? exit.usage.wallMs / SECOND_MS : undefined },
    { what: 'taking the work', seconds: took ? took.take_ms / SECOND_MS : undefined },
  ];
  const cell = exit ? known : [{ what: 'agent’s cell', seconds: inside }];
  const parts = [
    { what: 'waiting', seconds: secondsBetween(at, 'created', 'born') },
    ...cell,
    { what: 'checks', seconds: secondsBetween(at, 'handed_over', 'checked') },
    { what: 'delivering', seconds: secondsBetween(at, 'intended', 'over') },
  ];
  return parts.flatMap(({ what, seconds }) => (seconds === undefined ? [] : [{ what, seconds: Math.round(seconds) }]));
}

function secondsBetween(at: ToldAttempt['at'], from: Moment, to: Moment): number | undefined {
  const [begun, ended] = [at[from], at[to]];
  if (begun === undefined || ended === undefined) return undefined;
  const seconds = (Date.parse(ended) - Date.parse(begun)) / SECOND_MS;
  return seconds >= 0 && seconds <= PART_SECONDS_MAX ? seconds : undefined;
}
