import { describe, expect, it } from 'vitest';
import { judgeBlocked, parseBlocked, type Blocked } from '../../../src/kernel/contract/blocked.ts';
import { judgeDone, parseDone, type Done } from '../../../src/kernel/contract/done.ts';
import { judgeStop } from '../../../src/kernel/contract/stop.ts';

/** As the protocol prints it, with values filled in. */
const WRITTEN = {
  agent: 'worker-1',
  project: 'shop',
  status: 'done_clean',
  started_at: '2026-01-01T10:00:00Z',
  finished_at: '2026-01-01T10:05:00+02:00',
  duration_sec: 300,
  mission: 'Fix the total',
  evidence: {
    verify_command: 'npm test',
    verify_exit_code: 0,
    verify_stdout: 'ok',
    verify_stderr: '',
    artefacts: ['logs/test.log'],
  },
  audit: {
    gates_required: ['codeaudit'],
    gates_passed: ['codeaudit', 'secaudit'],
    scores: { codeaudit: 92, secaudit: 88 },
    verdict: 'satisfied',
  },
  regressions: [],
  pending_actions: [],
  ship: { requested: false, result: 'skipped', commit: null, deploy_url: null, deploy_status: null },
  report_path: 'report.md',
};
const MINIMAL = {
  status: 'done_clean',
  started_at: '2026-01-01T10:00:00Z',
  finished_at: '2026-01-01T10:05:00Z',
  evidence: { verify_exit_code: 0 },
};
const BLOCKED = {
  session: 'shop-worker-1',
  blocked_at: '2026-01-01T10:00:00Z',
  question: 'The staging database refuses the password in the vault. Which user has write access?',
  best_guess: 'deploy',
  fallback_action: 'writing the tests that need no database',
  can_resume_without_answer: true,
  human_required_for: 'credential',
};

function done(changes: Record<string, unknown> = {}, evidence: Record<string, unknown> = {}): Done {
  const read = parseDone(JSON.stringify({ ...WRITTEN, ...changes, evidence: { ...WRITTEN.evidence, ...evidence } }));
  if (read.is === 'refused') throw new Error(JSON.stringify(read));
  return read.value;
}
function blocked(changes: Record<string, unknown> = {}): Blocked {
  const read = parseBlocked(JSON.stringify({ ...BLOCKED, ...changes }));
  if (read.is === 'refused') throw new Error(JSON.stringify(read));
  return read.value;
}

describe('done.json', () => {
  it('is read as the protocol prints it, and with nothing but its required keys', () => {
    expect(parseDone(JSON.stringify(WRITTEN)).is).toBe('accepted');
    expect(parseDone(JSON.stringify(MINIMAL))).toMatchObject({
      is: 'accepted',
      value: { regressions: [], pending_actions: [] },
    });
  });

  it.each([
    ['no status', { status: undefined }],
    ['a status of its own', { status: 'success' }],
    ['no evidence', { evidence: undefined }],
    ['a key of its own', { approved: true }],
    ['a time that is none', { finished_at: 'yesterday' }],
    ['a gigantic list', { regressions: Array.from({ length: 10_000 }, () => 'x') }],
  ])('with %s is refused', (_, change) => {
    expect(parseDone(JSON.stringify({ ...WRITTEN, ...change }))).toMatchObject({
      is: 'refused',
      code: 'done_malformed',
    });
  });

  it.each([
    ['done_clean without the verify command', done({}, { verify_exit_code: null }), [], 'done_verify_failed'],
    ['done_clean with a failing verify command', done({}, { verify_exit_code: 1 }), [], 'done_verify_failed'],
    ['done_clean with a regression', done({ regressions: ['login'] }), [], 'done_regressions'],
    ['done_clean without a gate of the brief', done(), ['perfaudit'], 'done_gate_missing'],
    ['done_clean that leaves the gates out', done({ audit: undefined }), ['codeaudit'], 'done_gate_missing'],
    [
      'done_clean without a gate of its own list',
      done({ audit: { ...WRITTEN.audit, gates_required: ['perfaudit'] } }),
      [],
      'done_gate_missing',
    ],
    [
      'done_clean after a failed ship',
      done({ ship: { requested: true, result: 'failed' } }),
      [],
      'done_after_failed_ship',
    ],
    [
      'done_clean after a frozen ship',
      done({ ship: { requested: true, result: 'frozen' } }),
      [],
      'done_after_failed_ship',
    ],
    ['pending with nothing left to do', done({ status: 'pending' }), [], 'done_nothing_pending'],
    ['failed without a word', done({ status: 'failed' }, { verify_stderr: ' \n' }), [], 'done_unexplained'],
  ])('that claims %s is refused by name', (_, claim, gates, code) => {
    expect(judgeDone(claim, gates)).toMatchObject({ is: 'refused', code });
  });

  it.each([
    ['done_clean', done(), ['codeaudit', 'secaudit']],
    ['pending', done({ status: 'pending', pending_actions: ['the other half'] }), []],
    ['failed', done({ status: 'failed' }, { verify_exit_code: 1, verify_stderr: 'boom' }), ['codeaudit']],
  ])('that claims %s with all it needs is taken', (_, claim, gates) => {
    expect(judgeDone(claim, gates).is).toBe('accepted');
  });
});

describe('a file that an agent left', () => {
  it('is read', () => {
    expect(parseDone(JSON.stringify(WRITTEN)).is).toBe('accepted');
    expect(parseBlocked(JSON.stringify(BLOCKED)).is).toBe('accepted');
  });

  it.each(['', '{', '[]', 'null', '"done_clean"', ' '.repeat(2_000_000), '['.repeat(100_000)])(
    'is refused, not thrown at, when it is no such document',
    (text) => {
      expect(parseDone(text)).toMatchObject({ code: 'done_malformed' });
      expect(parseBlocked(text)).toMatchObject({ code: 'blocked_malformed' });
    },
  );
});

describe('blocked.json', () => {
  it('is legal while its fallback runs and the work can go on', () => {
    expect(judgeBlocked(blocked(), true).is).toBe('accepted');
    expect(judgeBlocked(blocked({ human_required_for: null }), true).is).toBe('accepted');
  });

  it.each([
    ['that waits for the answer', { can_resume_without_answer: false }, true, 'blocked_waiting'],
    ['that states no fallback', { fallback_action: '  ' }, true, 'blocked_without_fallback'],
    ['whose fallback is not running', {}, false, 'blocked_without_fallback'],
  ])('%s is refused by name', (_, change, running, code) => {
    expect(judgeBlocked(blocked(change), running)).toMatchObject({ is: 'refused', code });
  });

  it.each([
    ['I’d like to confirm before proceeding.', 'confirm_first'],
    ['Three options exist, which would you prefer?', 'which_option'],
    ['I want the user to validate the approach before I code.', 'validate_first'],
    ['Which path should I take?', 'which_option'],
    ['SHOULD I   PROCEED?', 'should_i_proceed'],
    ['Awaiting\nconfirmation', 'awaiting_confirmation'],
    ['Confirm before I continue', 'confirm_first'],
  ])('%s is a preference, even where a credential is said to be missing', (question, phrase) => {
    expect(judgeBlocked(blocked({ question }), true)).toMatchObject({
      is: 'refused',
      code: 'blocked_preference',
      facts: { phrase },
    });
  });

  it.each([
    'The vault has no STRIPE_KEY; who can add one?',
    'Dropping table orders is outside the brief. Is it meant?',
    'The two formats of the date contradict each other in the specification: 01/02 or 02/01?',
  ])('%s is a question', (question) => {
    expect(judgeBlocked(blocked({ question }), true)).toMatchObject({ is: 'accepted' });
  });

  it('is refused with keys missing or added', () => {
    expect(parseBlocked(JSON.stringify({ ...BLOCKED, question: undefined }))).toMatchObject({
      code: 'blocked_malformed',
    });
    expect(parseBlocked(JSON.stringify({ ...BLOCKED, question: '' }))).toMatchObject({ code: 'blocked_malformed' });
    expect(parseBlocked(JSON.stringify({ ...BLOCKED, approve: true }))).toMatchObject({ code: 'blocked_malformed' });
  });
});

describe('a session may stop', () => {
  const nothing = { done: undefined, blocked: undefined, fallbackRunning: false };
  it('in the four legal ways', () => {
    expect(judgeStop({ ...nothing, done: done() }, [])).toMatchObject({ value: 'done_clean' });
    const pending = done({ status: 'pending', pending_actions: ['x'] });
    expect(judgeStop({ ...nothing, done: pending }, [])).toMatchObject({ value: 'pending' });
    const failed = done({ status: 'failed' }, { verify_stderr: 'boom' });
    expect(judgeStop({ ...nothing, done: failed }, [])).toMatchObject({ value: 'failed' });
    const unfinished = done({ status: 'pending' });
    expect(judgeStop({ done: unfinished, blocked: blocked(), fallbackRunning: true }, [])).toMatchObject({
      value: 'blocked',
    });
  });

  it('in no other: no done.json, a block alone, a block whose fallback does not run', () => {
    expect(judgeStop(nothing, [])).toMatchObject({ code: 'done_missing' });
    expect(judgeStop({ ...nothing, blocked: blocked(), fallbackRunning: true }, [])).toMatchObject({
      code: 'done_missing',
    });
    expect(judgeStop({ ...nothing, done: done({ status: 'pending' }), blocked: blocked() }, [])).toMatchObject({
      code: 'blocked_without_fallback',
    });
  });

  it('not with a contradictory claim of success because it also asked a question', () => {
    const claim = done({ regressions: ['x'] });
    expect(judgeStop({ done: claim, blocked: blocked(), fallbackRunning: true }, [])).toMatchObject({
      code: 'done_regressions',
    });
  });
});
