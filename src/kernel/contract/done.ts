// done.json: what an agent claims when it stops. A claim is input: the verdict comes from running the verify command
// again elsewhere. Here stands which claims contradict themselves, each refused with a reason of its own.
import { z } from 'zod';
import { accept, refuse, type Verdict } from '../verdict.ts';
import { firstIssue } from './brief.ts';
import { parseClaim } from './claim.ts';

/** Of the whole file, before it is parsed: an agent can write anything. */
const DONE_CHARACTERS_MAX = 1024 * 1024;
const CAPTURED_CHARACTERS_MAX = 256 * 1024;
const TEXT_CHARACTERS_MAX = 4000;
const ENTRIES_MAX = 256;

const Text = z.string().max(TEXT_CHARACTERS_MAX);
const Texts = z.array(Text).max(ENTRIES_MAX);
const Captured = z.string().max(CAPTURED_CHARACTERS_MAX);
const Time = z.iso.datetime({ offset: true });
const Score = z.number().min(0).max(100);

export const Done = z.lazy(() =>
  z.strictObject({
    agent: Text.optional(),
    project: Text.optional(),
    status: z.enum(['done_clean', 'pending', 'failed']),
    started_at: Time,
    finished_at: Time,
    duration_sec: z.number().min(0).optional(),
    mission: Text.optional(),
    evidence: z.strictObject({
      verify_command: Text.optional(),
      /** Null where the command was never run. */
      verify_exit_code: z.int().nullable(),
      verify_stdout: Captured.default(''),
      verify_stderr: Captured.default(''),
      artefacts: Texts.default([]),
      backups: Texts.optional(),
    }),
    score: Score.optional(),
    audit: z
      .strictObject({
        gates_required: Texts,
        gates_passed: Texts,
        scores: z.record(Text, Score).default({}),
        verdict: z.enum(['satisfied', 'partial', 'unsatisfied']),
      })
      .optional(),
    regressions: Texts.default([]),
    pending_actions: Texts.default([]),
    ship: z
      .strictObject({
        requested: z.boolean(),
        result: z.enum(['ok', 'failed', 'skipped', 'frozen']),
        commit: Text.nullable().default(null),
        deploy_url: Text.nullable().default(null),
        deploy_status: z.enum(['READY', 'ERROR', 'TIMEOUT']).nullable().default(null),
      })
      .optional(),
    report_path: Text.optional(),
  }),
);
export type Done = z.infer<typeof Done>;

/** From the file an agent left behind. */
export function parseDone(text: string): Verdict<Done> {
  const claim = parseClaim(text, DONE_CHARACTERS_MAX);
  return claim.is === 'refused' ? refuse('done_malformed', claim.facts) : readDone(claim.value);
}

function readDone(value: unknown): Verdict<Done> {
  const done = Done.safeParse(value);
  return done.success ? accept(done.data) : refuse('done_malformed', firstIssue(done.error));
}

/** Accepts a claim that is at least free of contradiction. `gatesRequired` is the brief's list; the agent's own adds to it. */
export function judgeDone(done: Done, gatesRequired: readonly string[]): Verdict<Done> {
  if (done.status === 'done_clean') return judgeClean(done, gatesRequired);
  if (done.status === 'pending' && done.pending_actions.length === 0) return refuse('done_nothing_pending');
  if (done.status === 'failed' && done.evidence.verify_stderr.trim() === '') return refuse('done_unexplained');
  return accept(done);
}

function judgeClean(done: Done, gatesRequired: readonly string[]): Verdict<Done> {
  const { evidence, audit, regressions, ship } = done;
  if (evidence.verify_exit_code !== 0)
    return refuse('done_verify_failed', { verify_exit_code: evidence.verify_exit_code });
  if (regressions.length > 0) return refuse('done_regressions', { regressions: regressions.length });
  const passed = new Set(audit?.gates_passed);
  // The brief decides what is required: an agent that leaves a gate out of its own list has not passed it.
  const missing = [...gatesRequired, ...(audit?.gates_required ?? [])].filter((gate) => !passed.has(gate));
  if (missing.length > 0) return refuse('done_gate_missing', { gates: missing.length, gate: missing[0]!.slice(0, 63) });
  if (ship?.result === 'failed' || ship?.result === 'frozen')
    return refuse('done_after_failed_ship', { ship: ship.result });
  return accept(done);
}
